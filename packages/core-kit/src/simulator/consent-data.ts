/** Shows what a bank can do with a consent: it counts the questions on it, and lets Trapeza keep the count. */
export const consentDataFor = (
  consentId: string | undefined,
  data: string | undefined,
): string | undefined => {
  if (consentId === undefined) return undefined;
  const [, seen = '0'] = /^seen=(\d{1,15})$/.exec(data ?? '') ?? [];
  return `seen=${Number(seen) + 1}`;
};
