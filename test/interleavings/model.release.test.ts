/**
 * Consents and payments, exhaustively: all interleavings of two actors and up to three nodes, each of which may die between any two
 * steps, with the product's own tables. A model without one of the guards breaks a rule, so no guard and no rule is idle.
 */
import { describe, expect, it } from 'vitest';
import { explore } from './explore.js';
import { callsAtOnce, modelOf, remotePayment, settings } from './model.js';
import { type Guard, guards, type Setting, tables } from './world.js';

/** Where the lack of each guard shows first. */
const shownBy: Readonly<Record<Guard, keyof typeof settings>> = {
  'use-checks-status': 'a payment consent',
  'use-checks-submitted': 'two calls about a payment',
  'move-checks-submitted': 'a payment consent',
  'read-checks-status': 'an account access',
  'read-counts-in-transaction': 'two reads at once',
  'approval-checks-hash': 'an account access',
  'id-taken-in-transaction': 'a submission that is repeated',
  'replay-read-after-consent': 'a submission that is repeated',
  'settle-reads-again': 'two calls about a payment',
  'claim-marks-sent': 'a payment to a remote core',
  'claim-on-fresh-view': 'an order that three nodes have',
  'tells-only-with-claim': 'a payment to a remote core',
  'renewal-needs-claim': 'an order that three nodes have',
  'asks-before-telling-again': 'a payment to a remote core',
  'unresolved-is-not-told': 'a payment to a remote core',
  'resent-is-looked-up-again': 'a payment to a remote core',
  'move-checks-order-status': 'a payment to a remote core',
  'postpones-only-own-claim': 'an order that three nodes have',
};

const faultOf = (setting: Setting): string | undefined => explore(modelOf(setting)).fault?.rule;

/** All of their orders: `npm run prove -- interleavings`. The guards are missed in them all the same. */
const long: readonly string[] = ['an order that three nodes have', 'an account access'];
const explored = Object.entries(settings).filter(
  ([name]) => process.env.TEST_INTERLEAVINGS || !long.includes(name),
);

describe('the model of consent and payment', () => {
  it.each(explored)('%s: no interleaving breaks a rule, and an end is always in reach', (name, setting) => {
    const { states, steps, fault } = explore(modelOf(setting));
    console.log(`${name}: ${states} states, ${steps} steps`);
    expect(fault).toBeUndefined();
    expect(states).toBeGreaterThan(1000);
  });

  it.each(guards)('needs the guard %s', (without) => {
    const setting = settings[shownBy[without]];
    expect(setting && faultOf({ ...setting, without })).toEqual(expect.any(String));
  });

  it('notices a table that lacks a move, and one that leads out of a final status', () => {
    const noSettlement = {
      ...tables,
      mayFollow: (from: string, to: string) => from !== 'ACSP' && to !== 'ACSC',
    };
    expect(faultOf({ ...remotePayment, rules: noSettlement })).toBe('stuck');
    const noEnd = {
      ...tables,
      mayMove: (...move: Parameters<typeof tables.mayMove>) => move[2] !== 'bank' && tables.mayMove(...move),
    };
    expect(faultOf({ ...callsAtOnce, rules: noEnd })).toBe('a move that the table lacks');
    const reopened = { ...tables, isFinal: () => false };
    expect(faultOf({ ...callsAtOnce, rules: reopened })).toEqual(expect.any(String));
  });
});
