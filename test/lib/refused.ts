/** Words that the project does not use, each with the word to write instead. `test/tidy-voice.test.ts` refuses them. */

/** A pattern, what to write instead, and the folder below which it is refused; everywhere if there is none. */
export interface Refused {
  readonly pattern: RegExp;
  readonly write: string;
  readonly under?: string;
}

/** In code: identifiers. */
export const refusedNames: readonly Refused[] = [
  { pattern: /\bLooks\b|\blook\(/, write: 'Poller, poll()' },
  { pattern: /\b[tT]ogether\b(?=[.:(,)]|\s*=)|\breadsTogether\b/, write: 'batchedReads' },
  { pattern: /\bAskers?\b|\baskers?\b|\baskerOf\b/, write: 'QueryContext, PendingRead' },
  { pattern: /\bTogether\b/, write: 'ReadBatcher' },
  { pattern: /\bisOnItsWay\b|\bLane\b/, write: 'inFlight, ReadQueue' },
  { pattern: /\b(write)?[aA]tOnce\b/, write: 'writeBatch, maxConcurrent' },
  { pattern: /\b[lL]edger\b/, write: 'CheckList', under: 'src/signature/' },
  { pattern: /\bPlace\b/, write: 'PublicAddress', under: 'src/signature/' },
  { pattern: /\b[hH]ear(d|s)?\b/, write: 'dispatch, CoreReply' },
  { pattern: /\bsaid\b|#speakOf\b|\bspeakOf\b/, write: 'reply, query' },
  { pattern: /\btell\(|#tell\b/, write: 'execute', under: 'src/' },
  { pattern: /\belsewhere\b|\w+Elsewhere\b/, write: 'remoteOrderBooks' },
  { pattern: /\b[bB]egun(?=[A-Z]|\b)|\bfindBegun\b/, write: 'InteractionConsent', under: 'src/consent/' },
  { pattern: /\bopenMatter\b/, write: 'pendingDecision' },
  { pattern: /\b[tT]old\b|\btold[A-Z]/, write: 'publicMembers, reply, reported' },
  { pattern: /\bwords\b|\b\w+Words\b/, write: 'messages', under: 'src/' },
  { pattern: /\bRecent\b/, write: 'LruCache' },
  { pattern: /\bIN_HAND\b/, write: 'CURRENT_EXCHANGE' },
  {
    pattern: /\bconst (USE|HOLD|TURN|TAKE|KEEP|INSERT)\b/,
    write: 'the effect: CLAIM_CONSENT_FOR_SUBMISSION, LOCK_…, INSERT_<table>',
  },
  { pattern: /\bconst (covers|accessOf|outcomeOf|textOf)\b|\binterface Window\b/, write: 'what it is of' },
];

/** In every text: code, comments, messages, documentation. */
export const refusedPhrases: readonly Refused[] = [
  {
    pattern: /leaves no record to take its id/i,
    write: 'writes no record and does not claim its X-Request-ID',
  },
  { pattern: /\bstragglers?\b/i, write: 'statements issued after their transaction has ended' },
  { pattern: /is decided, not changed/i, write: "show its outcome rather than 'changed'" },
  { pattern: /a queue of two/i, write: 'writes header and body at once' },
  { pattern: /Nothing is to be said/i, write: 'Empty.' },
  { pattern: /(account|accounts|wider) by it\b/i, write: 'nothing: the sentence ends before it' },
  { pattern: /Note of the app|For which account/, write: 'Message from the app, Account' },
  { pattern: /in the clothes of/i, write: 'IPv4-mapped' },
  { pattern: /two readings differ/i, write: 'OpenSSL and our parser disagree' },
  { pattern: /Signed by whom/i, write: 'Signed requests' },
  { pattern: /News without asking/i, write: 'Webhooks and event feed' },
  { pattern: /Payments once\b/, write: 'Exactly-once payments' },
  { pattern: /Who asked for your funds/i, write: 'Balance checks' },
  { pattern: /Number of the permission/i, write: 'Reference' },
  { pattern: /Whom shall it play/i, write: 'Choose a role' },
  { pattern: /\bbanks? elsewhere\b/i, write: 'a remote core' },
  { pattern: /φυλλομετρητή/i, write: 'πρόγραμμα περιήγησης' },
  { pattern: /Γυρίστε/i, write: 'Επιστρέψτε' },
  { pattern: /Ερωτήσεις για χρήματα/i, write: 'Έλεγχοι διαθέσιμου ποσού' },
  { pattern: /Περιμένει εσάς/i, write: 'Σε αναμονή' },
];

/** In comments. "Where" is refused if it stands for "if", as far as a pattern can tell. */
export const refusedInComments: readonly Refused[] = [
  { pattern: /\b(told|heard)\b/i, write: 'gets, reports, receives' },
  { pattern: /\b(whoever|nobody|somebody)\b/i, write: 'the caller, a person, none' },
  { pattern: /(?<!`)\belsewhere\b/i, write: 'in another place' },
  { pattern: /\bis said\b/i, write: 'is reported' },
  { pattern: /\bby it\b/i, write: 'name it' },
  {
    pattern:
      /\b(undefined|null|false|true|none|nothing|empty|absent|throws|0|only|greek|at once|a value) where\b/i,
    write: 'if',
  },
];
