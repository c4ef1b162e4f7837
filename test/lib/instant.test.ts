/** Dates and instants of RFC 3339, strictly: what a lenient parser would quietly turn into another day is refused. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instantText, isDate, parseInstant } from '../../src/lib/instant.js';

describe('an instant', () => {
  it.each([
    ['2026-01-15T12:00:00Z', Date.UTC(2026, 0, 15, 12)],
    ['2026-01-15t12:00:00z', Date.UTC(2026, 0, 15, 12)],
    ['2026-01-15T12:00:00.5Z', Date.UTC(2026, 0, 15, 12, 0, 0, 500)],
    ['2026-01-15T12:00:00.123456789Z', Date.UTC(2026, 0, 15, 12, 0, 0, 123)],
    ['2026-01-15T12:00:00+02:00', Date.UTC(2026, 0, 15, 10)],
    ['2026-01-15T12:00:00-05:30', Date.UTC(2026, 0, 15, 17, 30)],
    ['2026-01-15T00:30:00+01:00', Date.UTC(2026, 0, 14, 23, 30)],
    ['2026-01-15T12:00:00-00:00', Date.UTC(2026, 0, 15, 12)],
    ['2026-01-15T12:00:00+23:59', Date.UTC(2026, 0, 14, 12, 1)],
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
    ['2000-02-29T00:00:00Z', Date.UTC(2000, 1, 29)],
    ['2016-12-31T23:59:60Z', Date.UTC(2016, 11, 31, 23, 59, 59)],
    ['2017-01-01T01:59:60.25+02:00', Date.UTC(2016, 11, 31, 23, 59, 59, 250)],
    ['1970-01-01T00:00:00Z', 0],
    ['1969-12-31T23:59:59Z', -1000],
    ['9999-12-31T23:59:59.999Z', Date.UTC(9999, 11, 31, 23, 59, 59, 999)],
    ['0001-01-01T00:00:00Z', Date.parse('0001-01-01T00:00:00Z')],
  ])('%s is %d', (text, ms) => {
    expect(parseInstant(text)).toBe(ms);
  });

  it.each([
    ['no offset', '2026-01-15T12:00:00'],
    ['no time', '2026-01-15'],
    ['no seconds', '2026-01-15T12:00Z'],
    ['a space that was a plus sign', '2026-01-15T12:00:00 02:00'],
    ['a space for the T', '2026-01-15 12:00:00Z'],
    ['an offset without colon', '2026-01-15T12:00:00+0200'],
    ['an offset of hours only', '2026-01-15T12:00:00+02'],
    ['an offset of a day', '2026-01-15T12:00:00+24:00'],
    ['an offset of 60 minutes', '2026-01-15T12:00:00+02:60'],
    ['29 February in an ordinary year', '2026-02-29T00:00:00Z'],
    ['29 February 1900', '1900-02-29T00:00:00Z'],
    ['30 February', '2024-02-30T00:00:00Z'],
    ['31 April', '2026-04-31T00:00:00Z'],
    ['month 13', '2026-13-01T00:00:00Z'],
    ['month 0', '2026-00-10T00:00:00Z'],
    ['day 0', '2026-01-00T00:00:00Z'],
    ['hour 24', '2026-01-15T24:00:00Z'],
    ['minute 60', '2026-01-15T12:60:00Z'],
    ['second 61', '2026-01-15T12:00:61Z'],
    ['a fraction without digits', '2026-01-15T12:00:00.Z'],
    ['a comma', '2026-01-15T12:00:00,5Z'],
    ['ten digits of a fraction', '2026-01-15T12:00:00.1234567890Z'],
    ['a year of six digits', '+002026-01-15T12:00:00Z'],
    ['a sign before the year', '-2026-01-15T12:00:00Z'],
    ['an HTTP date', 'Thu, 15 Jan 2026 12:00:00 GMT'],
    ['a number', '1768478400000'],
    ['a space at the end', '2026-01-15T12:00:00Z '],
    ['a line break at the end', '2026-01-15T12:00:00Z\n'],
    ['other digits', '２０26-01-15T12:00:00Z'],
    ['nothing', ''],
    ['a great length', `2026-01-15T12:00:00Z${'Z'.repeat(5000)}`],
  ])('with %s is refused', (_what, text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  it('comes back from its text, to the millisecond', () => {
    const range = {
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    };
    fc.assert(
      fc.property(fc.date(range), (date) => {
        expect(parseInstant(instantText(date.getTime()))).toBe(date.getTime());
      }),
    );
  });
});

describe('a date', () => {
  it.each(['2026-01-31', '2024-02-29', '2000-02-29', '9999-12-31', '0001-01-01'])('%s exists', (text) => {
    expect(isDate(text)).toBe(true);
  });

  it.each([
    '2026-02-29',
    '1900-02-29',
    '2026-04-31',
    '2026-1-1',
    '26-01-01',
    '2026/01/01',
    '2026-01-01T00:00:00Z',
    '2026-00-01',
    '2026-12-32',
    '',
    '2026-01-01\n',
  ])('%j does not', (text) => {
    expect(isDate(text)).toBe(false);
  });

  it('exists exactly when the calendar has it', () => {
    const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    const two = (value: number): string => String(value).padStart(2, '0');
    for (const year of [1900, 1996, 2000, 2023, 2024, 2100]) {
      const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
      for (let month = 1; month <= 12; month += 1) {
        const days = (lengths[month - 1] ?? 0) + (month === 2 && leap ? 1 : 0);
        for (let day = 1; day <= 31; day += 1)
          expect(isDate(`${year}-${two(month)}-${two(day)}`)).toBe(day <= days);
      }
    }
  });
});
