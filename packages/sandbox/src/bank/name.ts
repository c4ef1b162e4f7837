/** What the demo bank is called, in its data as on its pages. */
export const demoBankName = { el: 'Τράπεζα Μελτέμι', en: 'Meltemi Bank' } as const;
