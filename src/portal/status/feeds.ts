/** The same for programs: JSON, and Atom for readers of news. */
import { instantText } from '../../lib/instant.js';
import type { State } from './state.js';

export const jsonOf = ({ state, planned, incidents }: State): string =>
  JSON.stringify({
    state: { works: 'up', planned: 'planned-downtime', trouble: 'incident' }[state],
    plannedDowntimes: planned.map(({ id, from, to, announcedAt, cancelledAt, textEl, textEn }) => ({
      id,
      from: instantText(from),
      to: instantText(to),
      announcedAt: instantText(announcedAt),
      cancelledAt: cancelledAt === null ? null : instantText(cancelledAt),
      text: { el: textEl, en: textEn },
    })),
    incidents: incidents.map(({ id, startedAt, endedAt, notes }) => ({
      id,
      from: instantText(startedAt),
      to: endedAt === null ? null : instantText(endedAt),
      updates: notes.map(({ at, textEl, textEn }) => ({
        at: instantText(at),
        text: { el: textEl, en: textEn },
      })),
    })),
  });

const escaped = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

interface Entry {
  readonly id: string;
  readonly at: number;
  readonly title: string;
  readonly text: string;
}

const entriesOf = ({ planned, incidents }: State): readonly Entry[] =>
  [
    ...planned.map(({ id, from, to, announcedAt, cancelledAt, textEl, textEn }) => ({
      id,
      at: cancelledAt ?? announcedAt,
      title: `${cancelledAt === null ? 'Planned downtime' : 'Planned downtime cancelled'}: ${instantText(from)} – ${instantText(to)}`,
      text: `${textEl}\n${textEn}`,
    })),
    ...incidents.flatMap(({ startedAt, notes }) =>
      notes.map(({ id, at, textEl, textEn }) => ({
        id,
        at,
        title: `Incident of ${instantText(startedAt)}`,
        text: `${textEl}\n${textEn}`,
      })),
    ),
  ].sort((a, b) => b.at - a.at);

export const atomOf = (state: State, url: string, title: string): string => {
  const entries = entriesOf(state);
  const updated = instantText(entries[0]?.at ?? 0);
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${escaped(url)}/status</id>
  <title>${escaped(title)}</title>
  <updated>${updated}</updated>
  <link rel="self" href="${escaped(url)}/status.atom"/>
  <link rel="alternate" type="text/html" href="${escaped(url)}/status"/>
${entries
  .map(
    ({ id, at, title: name, text }) => `  <entry>
    <id>urn:uuid:${escaped(id)}</id>
    <title>${escaped(name)}</title>
    <updated>${instantText(at)}</updated>
    <author><name>${escaped(title)}</name></author>
    <content type="text">${escaped(text)}</content>
  </entry>
`,
  )
  .join('')}</feed>
`;
};
