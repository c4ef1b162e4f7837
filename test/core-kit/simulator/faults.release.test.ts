/** Faults on demand: each one is seen by who asks exactly as it is described, and ends with the simulator at the latest. */
import { describe, expect, it } from 'vitest';
import {
  type FaultKind,
  FaultList,
  faultKinds,
  parseFault,
} from '../../../packages/core-kit/src/simulator/faults.js';
import { coreOperations } from '../../../src/bank/http/contract/operations.js';
import { validator } from '../../../src/http/validate.js';
import { psuId } from '../../support/operations.js';
import { executionsOf, pay, payer, paymentOf, send, useSimulators } from './use-simulator.js';

describe('a fault', () => {
  const use = useSimulators('sqlite');
  const isAnswer = validator(coreOperations.readBalances.answer);
  const balances = `/accounts/${payer.id}/balances`;

  const seen = async (url: string, kind: FaultKind): Promise<string> => {
    const signal = AbortSignal.timeout(30_000);
    const response = await fetch(`${url}${balances}`, {
      headers: { 'PSU-ID': psuId('eleni'), 'Simulator-Fault': kind },
      signal,
    }).catch(() => undefined);
    if (!response) return 'no answer';
    const text = await response.text().catch(() => undefined);
    if (text === undefined) return 'half an answer';
    if (response.status !== 200) return `status ${response.status}`;
    if (text.length > 50_000_000) return 'too much';
    if (response.headers.get('content-type')?.startsWith('text/html')) return 'html';
    try {
      const json: unknown = JSON.parse(text);
      return isAnswer(json) ? 'misfit' : JSON.stringify(json);
    } catch {
      return 'no json';
    }
  };

  it.each([
    ['refuse', /^no answer$/],
    ['reset', /^half an answer$/],
    ['status-500', /^status 500$/],
    ['status-503', /^status 503$/],
    ['garbage', /^no json$/],
    ['html', /^html$/],
    ['huge', /^too much$/],
    ['wrong-currency', /"currency":"USD"/],
    ['wrong-type', /^misfit$/],
    ['wrong-id', new RegExp(`^(?!.*${payer.id}).*"accountId":"${payer.id.slice(0, -1)}`)],
  ] as const)('%s is seen as %s', async (kind, expected) => {
    const { url } = await use().start();
    expect(await seen(url, kind)).toMatch(expected);
    expect((await send(url, 'GET', balances)).status).toBe(200);
  });

  it.each(['late', 'half-open', 'slow-bytes'] as const)(
    '%s hangs until the simulator closes, and ends then',
    async (kind) => {
      const { url, simulator } = await use().start();
      const hanging = seen(url, kind);
      const answered = await Promise.race([hanging, send(url, 'GET', balances).then(() => 'still waiting')]);
      expect(answered).toBe('still waiting');
      await simulator.close();
      expect(await hanging).toMatch(/^no answer$|^half an answer$/);
    },
  );

  it('of a payment comes before or after the booking, as its name says', async () => {
    const { url } = await use().start();
    const [silent, executed, other] = [paymentOf(), paymentOf(), paymentOf()];
    await expect(pay(url, silent, { 'Simulator-Fault': 'silent-before' })).rejects.toThrow();
    expect((await send(url, 'GET', `/payments/${silent.paymentId}`)).status).toBe(404);
    await expect(pay(url, executed, { 'Simulator-Fault': 'executed-but-silent' })).rejects.toThrow();
    expect((await send(url, 'GET', `/payments/${executed.paymentId}`)).json).toMatchObject({
      status: 'ACSC',
    });
    expect((await pay(url, executed)).json).toMatchObject({ status: 'ACSC' });
    expect(await executionsOf(url, executed.paymentId)).toBe(1);
    await expect(pay(url, other, { 'Simulator-Fault': 'reset' })).rejects.toThrow();
    expect(await executionsOf(url, other.paymentId)).toBe(1);
    expect((await send(url, 'GET', balances, undefined, { 'Simulator-Fault': 'silent-before' })).status).toBe(
      200,
    );
  });

  it('can be switched on and off while it runs, for one operation and a number of times', async () => {
    const { url } = await use().start({ faults: [parseFault('status-500@ping')] });
    expect((await send(url, 'GET', '/health')).status).toBe(500);
    expect((await send(url, 'GET', balances)).status).toBe(200);
    const once = [{ kind: 'status-503', operation: 'readBalances', times: 1 }];
    expect((await send(url, 'PUT', '/simulator/faults', once)).json).toEqual(once);
    expect((await send(url, 'GET', '/health')).status).toBe(200);
    expect((await send(url, 'GET', balances)).status).toBe(503);
    expect((await send(url, 'GET', balances)).status).toBe(200);
    expect((await send(url, 'GET', '/simulator/faults')).json).toEqual([]);
  });

  it('comes by a chance that the seed alone decides', () => {
    const draw = (seed: number): readonly (string | undefined)[] => {
      const list = new FaultList([parseFault('refuse:0.3'), parseFault('late:.5@ping')], seed);
      return Array.from({ length: 1000 }, () => list.next('ping', undefined));
    };
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
    const count = (kind: string): number => draw(7).filter((each) => each === kind).length;
    expect(Math.abs(count('refuse') - 300)).toBeLessThan(60);
    expect(Math.abs(count('late') - 350)).toBeLessThan(60);
  });

  it('has a description for people, and its text is read strictly', () => {
    for (const [kind, words] of Object.entries(faultKinds)) {
      expect(words.length).toBeGreaterThan(10);
      expect(parseFault(`${kind}:0.25@login`)).toEqual({ kind, probability: 0.25, operation: 'login' });
    }
    for (const text of ['', 'late:2', 'late:-1', 'late@', 'late@nothing', 'toString', 'late:0.5:0.5'])
      expect(() => parseFault(text)).toThrow();
  });
});
