/** Dates and instants in text: RFC 3339, strictly. `Date.parse` alone would take 30 February and times without a zone. */
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const INSTANT =
  /^(\d{4}-\d{2}-\d{2})[Tt]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d{1,9})?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

export const isDate = (text: string): boolean => {
  if (!DATE.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
};

/** Milliseconds of an RFC 3339 date-time with offset; a leap second counts as the second before it. */
export const parseInstant = (text: string): number | undefined => {
  const match = text.length <= 40 ? INSTANT.exec(text) : null;
  if (!match?.[1] || !isDate(match[1])) return undefined;
  const time = Date.parse(text.toUpperCase().replace(/:60(?=[.Z+-])/, ':59'));
  return Number.isNaN(time) ? undefined : time;
};

export const instantText = (ms: number): string => new Date(ms).toISOString();
