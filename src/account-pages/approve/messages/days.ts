/** Days after a preposition in Greek. The first of a month is feminine and has an ending; all other days are plural. */
const withArticle = (day: string): string => (day.startsWith('1 ') ? `την 1η ${day.slice(2)}` : `τις ${day}`);

export const untilEl = (day: string): string => `έως ${withArticle(day)}`;
export const sinceEl = (day: string): string => `από ${withArticle(day)}`;
export const onEl = (day: string): string => withArticle(day).replace(/^τις/, 'στις');
/** `19 Νοεμβρίου 2026` as `έως το τέλος της 19ης Νοεμβρίου 2026`. */
export const untilEndOfEl = (day: string): string => `έως το τέλος της ${day.replace(/^\d+/, '$&ης')}`;
