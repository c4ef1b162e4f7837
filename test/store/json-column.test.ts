/** JSON columns: what was written comes back, and a row of another shape is told by its member, never by its value. */
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { instructionColumn } from '../../src/payment/remote/instruction.js';
import { jsonColumn } from '../../src/store/json-column.js';

const column = jsonColumn<{ iban: string; amount?: number }>(
  'a payment',
  Type.Object({ iban: Type.String(), amount: Type.Optional(Type.Integer()) }),
);

describe('a JSON column', () => {
  it('gives back what was written, with members that it does not know', () => {
    const value = { iban: 'GR00', amount: 5, later: [1] };
    expect(column.read(column.write(value))).toEqual(value);
  });

  it.each([
    ['{"iban":4711}', '/iban must be string'],
    ['{"iban":"GR00","amount":"secret"}', '/amount must be integer'],
    ['null', 'must be object'],
  ])('refuses %s by the member and without its value', (text, reason) => {
    let message = '';
    try {
      column.read(text);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toContain('a payment in the store does not fit its schema');
    expect(message).toContain(reason);
    expect(message).not.toMatch(/secret|GR00|4711/);
  });

  it('of an instruction refuses one that an older version might have left', () => {
    expect(() => instructionColumn.read('{"id":"1","amount":"5.00"}')).toThrow(
      /instruction of a payment order/,
    );
  });
});
