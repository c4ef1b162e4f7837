/** JSON columns: what was written comes back, and a row of another shape is told by its member, never by its value. */
import { describe, expect, it } from 'vitest';
import { instructionColumn } from '../../src/payment/remote/instruction.js';
import { jsonColumn, listOf, members, optional, text, whole } from '../../src/store/json-column.js';

const column = jsonColumn<{ iban: string; amount?: number }>(
  'a payment',
  members({ iban: text, amount: optional(whole), days: optional(listOf(text)) }),
);

describe('a JSON column', () => {
  it('gives back what was written, with members that it does not know', () => {
    const value = { iban: 'GR00', amount: 5, later: [1] };
    expect(column.read(column.write(value))).toEqual(value);
  });

  it.each([
    ['{"iban":4711}', ' at /iban'],
    ['{"iban":"GR00","amount":"secret"}', ' at /amount'],
    ['{"iban":"GR00","days":["1",2]}', ' at /days/1'],
    ['{"iban":"GR00","days":{}}', ' at /days'],
    ['null', 'another shape'],
    ['["secret"]', 'another shape'],
  ])('refuses %s by the member and without its value', (json, reason) => {
    let message = '';
    try {
      column.read(json);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toContain('a payment in the store has another shape');
    expect(message).toContain(reason);
    expect(message).not.toMatch(/secret|GR00|4711/);
  });

  it('of an instruction refuses one that an older version might have left', () => {
    expect(() => instructionColumn.read('{"id":"1","amount":"5.00"}')).toThrow(
      /instruction of a payment order/,
    );
  });
});
