/** Every line that the service logs, by its `msg`, with the members it can have: docs/logs.md is made from this list. */

/** Of every line. */
export const commonMembers = {
  level:
    '30 is normal, 40 a matter for the morning, 50 for a person now, 60 the end of the process; 20 is for developers.',
  time: 'By the clock of this machine, in UTC.',
  node: 'Which node: `TRAPEZA_NODE`.',
  msg: 'Which line of this list.',
} as const;

/** Of a line about something that failed. */
export const errorMembers = {
  error: 'The class of the error.',
  errorCode: 'The code of the error, such as `ECONNREFUSED`.',
  outage: 'What was away: `core`, `core-maintenance`, `core-busy` or `store`. Such a line is of level 40.',
  coreRequestId: 'The X-Request-ID that the core was sent, if the core was away.',
  reason: 'Why, in words that are ours or the driver’s, without numbers and names.',
  remedy: 'What to do.',
  stack: 'Where, if it may be a bug.',
  cause: 'What it followed from, if it may be a bug.',
} as const;

type ErrorMember = keyof typeof errorMembers;

interface LogLine {
  /** When it is written, and what it means. */
  readonly about: string;
  readonly members: readonly string[];
}

const line = <const Member extends string>(about: string, ...members: readonly Member[]) => ({
  about,
  members,
});

export const logLines = {
  started: line(
    'The node listens.',
    'url',
    'listening',
    'managementUrl',
    'consoleUrl',
    'engine',
    'version',
    'extensions',
  ),
  stopping: line('It was asked to end, and goes on for `delayMs` before it takes nothing new.', 'delayMs'),
  stopped: line('It has ended. Without this line it was killed.'),
  'an error that nobody caught: the process ends': line('A bug of ours (TrapezaCrashes).', 'origin'),
  'the end of the service failed': line('Something could not be closed; the process ends with code 1.'),
  'a setting is not read': line('A variable of the environment that does nothing.', 'hint'),
  'Node is past its end of life': line('It works, but gets no security fixes.', 'version'),
  'process warning': line('What Node itself warns of.', 'warning', 'code', 'reason'),
  console: line('What a library or a module of the bank has printed.', 'stream', 'reason'),
  'migrations of a newer version': line(
    'The database is newer than this version, which works with it: an upgrade is under way or was taken back.',
    'ahead',
  ),
  'the database is away: the start is tried again': line(
    'A node that starts waits for its database, and tries again after `waitMs`. It does not listen yet.',
    'waitMs',
  ),
  'ready again': line('Every check of readiness is fine again.'),
  'not ready': line('Which checks fail, and why the store does.', 'checks', 'reasons'),
  request: line(
    'One call. Above level 30 if it failed by our fault.',
    'operation',
    'page',
    'operator',
    'status',
    'problem',
    'requestId',
    'clientId',
    'traceId',
    'ms',
  ),
  core: line(
    'A question to the core that was not answered, with the X-Request-ID of the caller and of ours.',
    'operation',
    'outcome',
    'reason',
    'requestId',
    'coreRequestId',
    'ms',
  ),
  'security event': line(
    'See docs/security.md. `omitted` counts lines like it that were left out.',
    'kind',
    'reason',
    'user',
    'person',
    'address',
    'clientId',
    'requestId',
    'omitted',
  ),
  'audit head': line('The head of the audit log, every hour.', 'position', 'head'),
  job: line('A job has done something.', 'job', 'done'),
  'job did far more than usual': line('10,000 things or more in one turn.', 'job', 'done'),
  'job failed': line('It is tried again within a minute.', 'job'),
  'page for account holders': line('A page could not be shown.', 'requestId'),
  'news from the core': line('The core has told us something by itself.', 'newsId', 'kind', 'result'),
  'the core has a later state of this consent': line(
    'The store was restored to an earlier moment (TrapezaStoreBehindCore).',
    'consent',
    'status',
  ),
  'payment order': line('A payment could not be taken further; it is tried again.', 'payment'),
  'payment orders cannot be read': line('None is taken further until the store answers.'),
  'payment with an unknown outcome': line('The core is asked again.', 'payment', 'fault', 'attempts'),
  'payment unresolved: find out at the core, then use "trapeza payments settle"': line(
    'For people (TrapezaPaymentUnresolved).',
    'payment',
    'fault',
    'attempts',
  ),
  delivery: line('A notification could not be sent by a fault of ours.'),
  'deliveries cannot be read': line('None is sent until the store answers.'),
  'delivery failed': line('It is tried again.', 'eventId', 'clientId', 'host', 'outcome', 'attempts'),
  'delivery given up': line(
    'The last attempt failed; the event stays in the feed.',
    'eventId',
    'clientId',
    'host',
    'outcome',
    'attempts',
  ),
  'certificate of a third party expires soon': line(
    '30, 14, 7 and 1 days before.',
    'tppId',
    'name',
    'use',
    'days',
    'certificate',
  ),
  'certificate of a third party has expired': line('Once.', 'tppId', 'name', 'use', 'days', 'certificate'),
  'certificate cannot be checked': line('It is looked at again in a day.', 'certificate'),
  'certificate blocked by the bank': line('From now on, on every node.', 'fingerprint'),
  'certificate no longer blocked': line('From now on, on every node.', 'fingerprint'),
  'third party withdrawn': line('It has no good certificate left.', 'tppId', 'registration', 'reason'),
  'trusted list accepted': line(
    'A warning if an authority has lost its status.',
    'source',
    'territory',
    'sequence',
    'added',
    'removed',
  ),
  'trusted list refused': line(
    'The last good one goes on counting.',
    'source',
    'territory',
    'fault',
    'isRefusal',
  ),
  'trusted list has expired': line('It goes on counting.', 'territory'),
  'trusted lists: not read': line('Those that are known go on counting.'),
  'trust anchors: not read': line('A file that is left out.', 'file', 'reason'),
  'revocation: no answer': line('A responder or a list could not be asked.', 'host', 'fault'),
  'revocation: nobody to ask': line(
    'Every certificate is refused with 503: TRAPEZA_REVOCATION is `hard`, and TRAPEZA_REVOCATION_HOSTS names no host of the OCSP responders and lists that the certificates name.',
  ),
  'nobody is trusted to issue certificates': line('Signed requests are refused.'),
  'TLS certificate: not renewed': line('The pair in the files does not fit; the last good one goes on.'),
  'the store has forgotten what was committed': line(
    'Nothing is answered from it until an operator accepts it: trapeza store accept (TrapezaStoreForgot).',
    'evidence',
    'noticedAt',
    'detail',
  ),
  'the store was accepted': line('An operator has accepted it as it is.'),
  'the marker of the store cannot be written': line('A loss might go unnoticed at the next start.'),
  'the newest time in the store is long ago': line(
    'Nothing is ended or deleted for a while; if a clock is wrong, stop all nodes (TrapezaTimeInDoubt).',
    'gapSeconds',
    'waitSeconds',
  ),
  'the clocks differ': line(
    'Those of this machine and of the database: not ready, no job is done here (TrapezaClockWrong).',
    'offsetSeconds',
  ),
  'the clocks agree again': line('Those of this machine and of the database.', 'offsetSeconds'),
  'closed for maintenance': line(
    'Until `trapeza maintenance off`; `closing` is the name of the setting, if that has closed it.',
    'closing',
  ),
  'open again after maintenance': line('Calls and pages are answered again.'),
  'operator login': line(
    'An authenticator is sealed under a secret that is not listed: `trapeza secret status`.',
  ),
  statistics: line('The counts of some calls could not be written; they are tried again.'),
  'request log': line('The calls of some applications could not be kept for their developers.'),
  'audit log': line('A security event could not be written into the audit log.'),
  'the store of a sandbox could not be removed': line('Test facility alone: it is tried again.'),
} as const satisfies Readonly<Record<string, LogLine>>;

export type LineName = keyof typeof logLines;

/** What a line may have beside the members of all lines. */
export type MembersOf<Name extends LineName> = Readonly<
  Partial<Record<(typeof logLines)[Name]['members'][number] | ErrorMember, unknown>>
>;

const isOfError = (member: string): boolean => Object.hasOwn(errorMembers, member);

/** What is not as the list says, in words; empty if all is well. */
export const faultsOfLine = (parsed: Readonly<Record<string, unknown>>): readonly string[] => {
  const { msg, ...members } = parsed;
  if (typeof msg !== 'string' || !Object.hasOwn(logLines, msg)) return [`line ${JSON.stringify(msg)}`];
  const known: readonly string[] = logLines[msg as LineName].members;
  const missing = ['level', 'time', 'node'].filter((name) => members[name] === undefined);
  const unknown = Object.keys(members).filter(
    (name) => !Object.hasOwn(commonMembers, name) && !known.includes(name) && !isOfError(name),
  );
  return [
    ...missing.map((name) => `${msg} without ${name}`),
    ...unknown.map((name) => `${msg} with ${name}`),
  ];
};
