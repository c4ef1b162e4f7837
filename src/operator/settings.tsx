/** The settings as this node uses them; secrets are masked before they come here. */

import { consolePage } from '../console/frame.js';
import type { Visit } from '../console/visit.js';
import type { PageAnswer } from '../http/pages.js';
import { Badge } from '../web/components/badge.js';
import { Records } from '../web/components/records.js';
import type { ConsoleParts } from './parts.js';

export const showSettings = async ({ settings }: ConsoleParts, visit: Visit): Promise<PageAnswer> => {
  const texts = visit.messages.settings;
  return consolePage(visit, {
    title: texts.heading,
    path: '/settings',
    children: (
      <>
        <p class="lead">{texts.lead}</p>
        <Records
          caption={texts.heading}
          shape="settings"
          columns={[texts.name, texts.value, texts.source, texts.meaning]}
          rows={settings().map(({ variable, value, source, doc }) => ({
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
      </>
    ),
  });
};
