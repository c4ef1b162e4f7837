/** Days in a time zone, over both changes of the clocks. */
import { describe, expect, it } from 'vitest';
import { dateAt, endOfDay, localMoment } from '../../src/lib/day.js';

const at = (text: string): number => Date.parse(text);

describe('the end of a day', () => {
  it.each([
    ['in winter', '2026-01-15', 'Europe/Athens', '2026-01-15T22:00:00Z'],
    ['in summer', '2026-07-15', 'Europe/Athens', '2026-07-15T21:00:00Z'],
    ['before clocks go forward', '2026-03-28', 'Europe/Athens', '2026-03-28T22:00:00Z'],
    ['on the day they go forward', '2026-03-29', 'Europe/Athens', '2026-03-29T21:00:00Z'],
    ['on the day they go back', '2026-10-25', 'Europe/Athens', '2026-10-25T22:00:00Z'],
    ['of a year', '2026-12-31', 'Europe/Athens', '2026-12-31T22:00:00Z'],
    ['of a month', '2024-02-29', 'Europe/Athens', '2024-02-29T22:00:00Z'],
    ['in UTC', '2026-01-15', 'UTC', '2026-01-16T00:00:00Z'],
    ['west of Greenwich', '2026-01-15', 'America/New_York', '2026-01-16T05:00:00Z'],
    ['at an offset of half an hour', '2026-01-15', 'Asia/Kolkata', '2026-01-15T18:30:00Z'],
    ['where clocks go forward at midnight', '2026-04-23', 'Africa/Cairo', '2026-04-23T22:00:00Z'],
    [
      'that clocks end by going forward at midnight',
      '2026-09-05',
      'America/Santiago',
      '2026-09-06T04:00:00Z',
    ],
    [
      'that clocks prolong by going back at midnight',
      '2026-04-04',
      'America/Santiago',
      '2026-04-05T04:00:00Z',
    ],
    ['whose clocks go forward to midnight', '2026-03-28', 'America/Nuuk', '2026-03-29T01:00:00Z'],
  ])('%s: %s in %s is %s', (_what, date, zone, end) => {
    expect(new Date(endOfDay(date, zone)).toISOString()).toBe(new Date(end).toISOString());
  });
});

describe('the date of a moment', () => {
  it.each([
    ['2026-01-15T21:59:59.999Z', 'Europe/Athens', '2026-01-15'],
    ['2026-01-15T22:00:00Z', 'Europe/Athens', '2026-01-16'],
    ['2026-07-15T21:00:00Z', 'Europe/Athens', '2026-07-16'],
    ['2026-01-16T04:59:59Z', 'America/New_York', '2026-01-15'],
    ['2026-01-16T05:00:00Z', 'America/New_York', '2026-01-16'],
    ['2026-01-15T18:29:59Z', 'Asia/Kolkata', '2026-01-15'],
    ['2026-01-15T18:30:00Z', 'Asia/Kolkata', '2026-01-16'],
    ['1969-12-31T23:59:59.500Z', 'UTC', '1969-12-31'],
  ])('%s in %s is %s', (moment, zone, date) => {
    expect(dateAt(at(moment), zone)).toBe(date);
  });
});

describe('a time of day in a zone', () => {
  it.each([
    ['2026-12-06T02:00', '2026-12-06T00:00:00.000Z'],
    ['2026-07-01T00:30', '2026-06-30T21:30:00.000Z'],
    ['2026-03-29T02:59', '2026-03-29T00:59:00.000Z'],
    ['2026-03-29T04:00', '2026-03-29T01:00:00.000Z'],
    ['2026-10-25T03:30', '2026-10-25T01:30:00.000Z'],
  ])('%s is %s in Athens', (text, moment) => {
    expect(new Date(localMoment(text, 'Europe/Athens') ?? 0).toISOString()).toBe(moment);
  });

  it.each([
    '2026-03-29T03:30',
    '2026-02-30T10:00',
    '2026-12-06T24:00',
    '2026-12-06T10:60',
    '2026-12-06',
    'x',
    '',
  ])('%j is none', (text) => expect(localMoment(text, 'Europe/Athens')).toBeUndefined());
});
