/** The bank time, read and moved; the demo bank lives through the days between. */
import {
  type BankTime,
  fieldFault,
  fieldProblem,
  instantText,
  type Operation,
  operation,
  Problem,
  SECOND,
} from 'trapeza/base';
import { type Static, Type } from 'typebox';
import { sandboxArea } from './area.js';
import type { DemoLife } from './bank/living/demo-life.js';
import { type SandboxClock, wishedTime } from './clock.js';

export interface ClockParts {
  readonly clock: SandboxClock;
  /** Absent in front of a core, which has books of its own. */
  readonly life: Pick<DemoLife, 'catchUp' | 'writtenUntil'> | undefined;
}

const control = { area: sandboxArea, headers: [], query: [], params: [], repeat: 'ignored' } as const;
const strict = { additionalProperties: false } as const;

const ClockSchema = Type.Object(
  {
    now: Type.String({ format: 'date-time' }),
    booksUntil: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date',
      description:
        'The last day that the demo bank has lived through; null in front of a core with its own books.',
    }),
  },
  { title: 'BankTime', ...strict },
);
const answer = {
  status: 200,
  schema: ClockSchema,
  example: { now: '2027-05-15T09:30:00.000Z', booksUntil: '2027-05-14' },
};
const ClockWish = Type.Object(
  { now: Type.Optional(Type.String({ format: 'date-time' })), advance: Type.Optional(Type.String()) },
  {
    ...strict,
    minProperties: 1,
    maxProperties: 1,
    description: 'A moment, or an ISO 8601 duration such as P181D.',
  },
);

/** Well within the time that an answer may take. */
const CATCH_UP_MS = 3 * SECOND;

const clockNow = async ({ clock, life }: ClockParts): Promise<Static<typeof ClockSchema>> => ({
  now: instantText(await clock.now()),
  booksUntil: (await life?.writtenUntil()) ?? null,
});

export const readClock = (parts: ClockParts): Operation =>
  operation({
    ...control,
    id: 'getSandboxClock',
    method: 'GET',
    path: '/sandbox/clock',
    summary: 'Read the bank time',
    description: 'The time by which consents live and expire.',
    success: { ...answer, description: 'The bank time.' },
    handle: async () => ({ status: 200, body: await clockNow(parts) }),
  });

export const moveClock = (parts: ClockParts): Operation =>
  operation({
    ...control,
    id: 'setSandboxClock',
    method: 'PUT',
    path: '/sandbox/clock',
    summary: 'Move the bank time forward',
    description:
      'Makes expiry and the 180-day and 24-hour rules a matter of seconds. The demo bank lives through the days between: wages, standing orders, bills and card payments go on, and what is pending is booked. A long leap may take some seconds more than the answer: then `booksUntil` is not yesterday yet. Time goes back only by a reset.',
    body: ClockWish,
    bodyExample: { advance: 'P181D' },
    success: { ...answer, description: 'The new bank time.' },
    problems: ['state-conflict'],
    async handle({ body }) {
      const wished = (now: BankTime): number => {
        const time = wishedTime(body, now);
        if (time === undefined || time > Date.UTC(9999, 0))
          throw fieldProblem(
            'advance',
            fieldFault('format', 'must be an ISO 8601 duration such as P181D or PT2H', {
              format: 'duration',
            }),
          );
        return time;
      };
      if (!(await parts.clock.move(wished))) {
        throw new Problem('state-conflict', {
          detail: 'The bank time moves forward only; POST /sandbox/reset turns it back.',
        });
      }
      await parts.life?.catchUp(CATCH_UP_MS);
      return { status: 200, body: await clockNow(parts) };
    },
  });
