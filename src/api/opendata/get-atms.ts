/** Operation 2, "Get ATMs": the published ATM list, or 304 if the caller already has it. */
import { type Atm, AtmListSchema, MINIMUM_VALUES } from '../../atms/atm.js';
import type { AtmFeed, Feed } from '../../atms/feed.js';
import { codingFor, variesByEncoding } from '../../http/compress.js';
import { operation, type Reply } from '../../http/operation.js';
import type { Clock } from '../../lib/clock.js';
import { credentialHeaders, optionalRequestId } from '../headers.js';
import { conditionsOf, createEntityTagFault, dateFault, isUnchanged } from './conditional.js';

/** The copy the caller prefers among those at hand. */
const negotiate = (feed: Feed, acceptEncoding: string | undefined): { bytes: Buffer; coding?: string } => {
  const coding = codingFor(acceptEncoding, feed.plain.length, ['br', 'gzip']);
  if (!coding) return { bytes: feed.plain };
  return { bytes: coding === 'br' ? feed.brotli : feed.gzip, coding };
};

const replyOf = (feed: Feed, unchanged: boolean, acceptEncoding: string | undefined): Reply => {
  const headers = {
    ETag: feed.etag,
    'Last-Modified': feed.lastModified,
    'Cache-Control': 'private, no-cache',
    ...variesByEncoding,
  };
  if (unchanged) return { status: 304, headers };
  const { bytes, coding } = negotiate(feed, acceptEncoding);
  return { status: 200, bytes, headers: coding ? { ...headers, 'Content-Encoding': coding } : headers };
};

const atmExample: Atm = {
  id: 'e7e3f3a2-7a5b-4f7e-9d5b-6f0a1c2b3d4e',
  name: 'Σύνταγμα',
  atmid: 'GR000101',
  locationCategory: 'BranchExternal',
  address: { street: 'Σταδίου', buildingNumber: '2', city: 'Αθήνα', postalCode: '105 64', country: 'GR' },
  geographicLocation: '37.97612,23.73430',
  accessibilityFeatures: ['WheelchairAccess', 'AudioCashMachine'],
  supportedLanguages: ['el', 'en'],
  atmServices: ['CashWithdrawal', 'Balance', 'PINChange'],
  currency: ['EUR'],
  minimumValueDispensed: MINIMUM_VALUES[2],
  telephoneNumber: '+30-2100000000',
};

export const getAtms = ({ feed, clock }: { readonly feed: AtmFeed; readonly clock: Clock }) =>
  operation({
    id: 'getAtms',
    method: 'GET',
    path: '/psd2/v1/opendata/atm',
    area: 'opendata',
    isSpecified: true,
    summary: 'Get ATMs',
    description:
      'Reads all ATMs of the bank. Send the ETag or the date of your copy to be told that nothing has changed.',
    headers: [optionalRequestId, ...credentialHeaders],
    query: [
      {
        name: 'if_Modified_Since',
        schema: { type: 'string', format: 'date-time' },
        description: 'Return data only if modified since this date (RFC 3339 with offset).',
        fault: dateFault,
      },
      {
        name: 'if_None_Match',
        schema: { type: 'string' },
        description: 'Return data only if the ETag is none of these; quotes are optional.',
        fault: createEntityTagFault(),
      },
    ],
    params: [],
    success: { status: 200, description: 'The ATMs.', schema: AtmListSchema, example: [atmExample] },
    others: { 304: 'Nothing has changed; there is no body.' },
    repeat: 'ignored',
    handle({ query, headers }) {
      const conditions = conditionsOf(query, headers);
      const answer = (current: Feed): Reply =>
        replyOf(
          current,
          isUnchanged(conditions, current.etag, current.lastModifiedMs, clock.now()),
          headers['accept-encoding'],
        );
      const current = feed.current();
      return current instanceof Promise ? current.then(answer) : answer(current);
    },
  });
