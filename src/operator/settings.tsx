/** The settings as this node uses them; secrets are masked before they come here. */
import type { SettingInForce } from '../config/in-force.js';
import { consolePage } from '../console/frame.js';
import type { Visit } from '../console/visit.js';
import type { PageAnswer } from '../http/pages.js';
import { Badge } from '../web/components/badge.js';
import { Records } from '../web/components/records.js';
import type { ConsoleParts } from './parts.js';

const Settings = ({
  rows,
  caption,
  texts,
}: {
  rows: readonly SettingInForce[];
  caption: string;
  texts: Visit['messages']['settings'];
}) => (
  <Records
    caption={caption}
    shape="settings"
    columns={[texts.name, texts.value, texts.source, texts.meaning]}
    rows={rows.map(({ variable, value, source, doc }) => ({
      key: variable,
      cells: [
        <code class="small">{variable}</code>,
        value === '' ? texts.none : <code class="small">{value}</code>,
        source === 'default' ? (
          texts.sources[source]
        ) : (
          <Badge meaning="accent">{texts.sources[source]}</Badge>
        ),
        // The settings are described in English.
        <span lang="en">{doc.replaceAll('`', '')}</span>,
      ],
    }))}
  />
);

export const showSettings = async ({ settings }: ConsoleParts, visit: Visit): Promise<PageAnswer> => {
  const texts = visit.messages.settings;
  const all = settings();
  return consolePage(visit, {
    title: texts.heading,
    path: '/settings',
    children: (
      <>
        <p class="lead">{texts.lead}</p>
        <h2>{texts.bank}</h2>
        <Settings rows={all.filter(({ isExpert }) => !isExpert)} caption={texts.bank} texts={texts} />
        <h2>{texts.experts}</h2>
        <p class="lead">{texts.expertsLead}</p>
        <Settings rows={all.filter(({ isExpert }) => isExpert)} caption={texts.experts} texts={texts} />
      </>
    ),
  });
};
