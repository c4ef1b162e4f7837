/** The buttons about what the bank says in public: the quarter, its own channels, planned downtimes and incidents. */
import type { Admin } from '../admin/admin.js';
import { StatisticsRefusal } from '../admin/statistics-acts.js';
import type { Visit } from '../console/visit.js';
import { localMoment } from '../lib/day.js';
import type { Button } from './acts.js';
import { showAnnouncements } from './announcements.js';
import { showStatistics } from './statistics.js';
import { uploadedIn } from './uploads.js';

type Act = Button['act'];

/** The field that a refusal is about, without the id of its section. */
const fields: Readonly<Partial<Record<StatisticsRefusal['code'], string>>> = {
  order: 'to',
  length: 'to',
  past: 'from',
  future: 'from',
  'incident-start': 'from',
};

/** The same checks as those of the command line; a refusal stands beside its field. */
const checked =
  (section: (id: string) => string, act: Act): Act =>
  async (admin, visit, id, parts) => {
    try {
      return await act(admin, visit, id, parts);
    } catch (error) {
      if (!(error instanceof StatisticsRefusal)) throw error;
      if (error.code === 'gone') return 'gone';
      return [`${section(id)}-${fields[error.code] ?? 'textEl'}`, visit.messages.refusals[error.code]];
    }
  };

const textsIn = ({ request: { form } }: Visit) => ({ textEl: form.textEl ?? '', textEn: form.textEn ?? '' });

const momentIn = ({ request, timeZone }: Visit, field: string): number | undefined =>
  localMoment(request.form[field]?.trim() ?? '', timeZone);

const announce: Act = async (admin, visit) => {
  const [from, to] = [momentIn(visit, 'from'), momentIn(visit, 'to')];
  const { moment } = visit.messages.refusals;
  if (from === undefined) return ['announce-from', moment];
  if (to === undefined) return ['announce-to', moment];
  await admin.announceDowntime({ ...textsIn(visit), from, to });
  return 'announced';
};

const open: Act = async (admin, visit) => {
  const isNow = (visit.request.form.from?.trim() ?? '') === '';
  const from = isNow ? undefined : momentIn(visit, 'from');
  if (!isNow && from === undefined) return ['open-from', visit.messages.refusals.moment];
  await admin.openIncident(textsIn(visit), from);
  return 'announced';
};

const changeIncident =
  (act: 'updateIncident' | 'closeIncident'): Act =>
  async (admin, visit, id) => {
    await admin[act](id, textsIn(visit));
    return 'announced';
  };

const publish: Act = async (admin, visit, quarter) => {
  try {
    await admin.publishStatistics(quarter, visit.timeZone);
    return 'quarterPublished';
  } catch (error) {
    if (!(error instanceof StatisticsRefusal)) throw error;
    return error.code === 'gone' ? 'gone' : ['publish-reason', visit.messages.refusals[error.code]];
  }
};

const MOST_FAULTS = 5;

const importFile = async (admin: Admin, { request, messages }: Visit): ReturnType<Act> => {
  const read = uploadedIn(request, 'channels');
  if (!read) return ['file', messages.statistics.empty];
  try {
    await admin.importChannels(read);
    return 'imported';
  } catch (error) {
    if (!(error instanceof StatisticsRefusal)) throw error;
    const faults = error.message.split('\n').slice(0, MOST_FAULTS).join('; ');
    return ['file', `${messages.refusals[error.code]} ${faults}`];
  }
};

const announcements = { show: showAnnouncements, path: () => '/announcements' };
const statistics = { show: showStatistics, path: () => '/statistics' };

const button = (section: Button['section'], act: Act) => ({
  ...announcements,
  section,
  act: checked(section, act),
});

/** As the page names it. */
const sectionOf =
  (act: string): Button['section'] =>
  (id) =>
    `${act}-${id}`;

export const publicButtons = {
  'statistics/publish': { ...statistics, section: () => 'publish', act: publish },
  'statistics/import': { ...statistics, section: () => 'import', act: importFile },
  'downtimes/announce': button(() => 'announce', announce),
  'downtimes/cancel': button(sectionOf('cancel'), async (admin, _visit, id) => {
    await admin.cancelDowntime(id);
    return 'announced';
  }),
  'incidents/open': button(() => 'open', open),
  'incidents/update': button(sectionOf('update'), changeIncident('updateIncident')),
  'incidents/close': button(sectionOf('close'), changeIncident('closeIncident')),
} satisfies Readonly<Record<string, Button>>;
