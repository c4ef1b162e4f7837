/** Security events: what a line tells, what it never tells, and that a flood is counted but not written down. */
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../src/lib/clock.js';
import { networkOf } from '../../src/lib/net/address.js';
import { SecurityEvents, securityEventKinds } from '../../src/observe/security-events.js';
import { ManualClock } from '../lib/manual-clock.js';

interface Line {
  readonly kind: string;
  readonly user?: string;
  readonly person?: string;
  readonly address?: string;
  readonly omitted?: number;
}

const open = (key = 'a key') => {
  const clock = new ManualClock();
  const registry = new Registry();
  const lines: Line[] = [];
  const log = { warn: (line: object) => void lines.push(line as Line) };
  const security = new SecurityEvents({
    log: log as never,
    registry,
    key: Buffer.from(key),
    now: () => clock.now(),
  });
  const count = async (kind: string): Promise<number> => {
    const { values } = (await registry.getMetricsAsJSON())[0] as unknown as {
      values: { labels: { kind: string }; value: number }[];
    };
    return values.find(({ labels }) => labels.kind === kind)?.value ?? Number.NaN;
  };
  return { clock, lines, security, count };
};

describe('security events', () => {
  it('hash people and addresses with the key, so that only its owner can tell who it was', () => {
    const facts = {
      userName: ' Eleni ',
      personId: 'psu-1',
      address: networkOf('203.0.113.7'),
      clientId: 'app',
    };
    const [one, other] = [open(), open('another key')];
    one.security.event('login-refused', facts);
    one.security.event('login-refused', { ...facts, userName: 'eleni' });
    other.security.event('login-refused', facts);
    const [first, again] = one.lines;
    expect(first).toMatchObject({ kind: 'login-refused', clientId: 'app' });
    expect(first).toEqual(again);
    expect(JSON.stringify(first)).not.toMatch(/eleni|psu-1|203\.0\.113\.7/i);
    expect([first?.user, first?.person, first?.address]).toEqual(
      Array.from({ length: 3 }, () => expect.stringMatching(/^[\w-]{16}$/)),
    );
    expect(other.lines[0]?.person).not.toBe(first?.person);
  });

  it('give a user name, a person and an address of the same letters three hashes', () => {
    const { security, lines } = open();
    security.event('code-wrong', { userName: '1', personId: '1', address: networkOf('1') });
    const [line] = lines;
    expect(new Set([line?.user, line?.person, line?.address]).size).toBe(3);
  });

  it('see all addresses of an IPv6 network of 64 bits as one, and mapped IPv4 as what it is', () => {
    expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
    expect(networkOf('2001:db8:1:2::9')).toBe(networkOf('2001:db8:1:2:ffff::1'));
    expect(networkOf('2001:db8:1:3::9')).not.toBe(networkOf('2001:db8:1:2::9'));
    expect(networkOf('::ffff:192.0.2.1')).toBe('192.0.2.1');
    expect(networkOf('192.0.2.1')).toBe('192.0.2.1');
    expect(networkOf('no address')).toBe('no address');
  });

  it('are all counted, while a source has ten lines a minute and says how many it left out', async () => {
    const { security, lines, count, clock } = open();
    for (let index = 0; index < 1000; index += 1)
      security.event('key-refused', { address: networkOf(`2001:db8::${index.toString(16)}`) });
    expect(lines).toHaveLength(10);
    security.event('key-refused', { address: networkOf('192.0.2.1') });
    expect(lines).toHaveLength(11);
    expect(lines[10]?.omitted).toBe(990);
    expect(await count('key-refused')).toBe(1001);
    clock.advance(MINUTE);
    security.event('key-refused', { address: networkOf('2001:db8::1') });
    expect(lines).toHaveLength(12);
  });

  it('have three hundred lines a minute for each kind, from however many sources', async () => {
    const { security, lines, count } = open();
    for (let index = 0; index < 5000; index += 1)
      security.event('login-refused', { address: networkOf(`10.0.${index >> 8}.${index & 255}`) });
    security.event('code-wrong', { personId: 'psu-1' });
    expect(lines.filter(({ kind }) => kind === 'login-refused')).toHaveLength(300);
    expect(lines.filter(({ kind }) => kind === 'code-wrong')).toHaveLength(1);
    expect(await count('login-refused')).toBe(5000);
  });

  it('have a counter for every kind from the start', async () => {
    const { count } = open();
    for (const kind of securityEventKinds) expect(await count(kind)).toBe(0);
  });
});
