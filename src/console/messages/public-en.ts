/** What the pages about what the bank says in public say in English: statistics and announcements. */
export const publicEn = {
  statistics: {
    heading: 'Statistics',
    lead: 'Availability and performance of the interface by day, as EBA/GL/2018/07 wants them published.',
    quarters: 'Quarters',
    quarter: (name: string) => `Quarter ${name.slice(5)} of ${name.slice(0, 4)}`,
    none: 'No day of this quarter is over yet.',
    days: 'Day by day',
    publishedAt: 'Published',
    notPublished: 'not yet; the figures are preliminary',
  },
  announcements: {
    heading: 'Announcements',
    lead: 'What stands here is on the status page, and every active third party gets it as an event.',
    planned: 'Planned downtime',
    nothingPlanned: 'Nothing is planned.',
    cancelled: 'cancelled',
    incidents: 'Incidents of the last 90 days',
    noIncident: 'There was no incident.',
    lasts: 'lasts',
  },
};
