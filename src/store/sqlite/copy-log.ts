/**
 * Copies the write-ahead log into the database. Commits go on meanwhile; only if the log has become long does a last pass keep them out, when
 * hardly anything is left to copy, because a log that is never whole would grow for ever.
 */
const BESIDE_COMMITS = 'pragma wal_checkpoint(passive)';
const TO_THE_END = 'pragma wal_checkpoint(restart)';
/** 32 MB. */
const LONG_LOG_PAGES = 8000;

/** What a pass returns: whether a reader or a writer was in its way, and how many pages the log has. */
interface Pass {
  readonly busy: number;
  readonly log: number;
}

interface Asked {
  prepare(sql: string): { get(): unknown };
}

export const createCopy = (connection: Asked): (() => void) => {
  const beside = connection.prepare(BESIDE_COMMITS);
  const toTheEnd = connection.prepare(TO_THE_END);
  let most = LONG_LOG_PAGES;
  return () => {
    beside.get();
    // What has come in the meantime is little: the database is flushed if nothing comes while that is copied.
    const { log } = beside.get() as Pass;
    if (log <= most) return;
    // Behind a long read the commits would wait in vain, so not again soon.
    const { busy } = toTheEnd.get() as Pass;
    most = LONG_LOG_PAGES + (busy ? log : 0);
  };
};
