/** What the console says in English about seeing a person, and about acts that need two people. */
export const peopleEn = {
  proposals: {
    heading: 'Waiting for a second person',
    lead: 'One person proposes, another one confirms or refuses. After 24 hours a proposal is void.',
    none: 'Nothing waits for a second person.',
    about: 'About',
    input: 'Details',
    by: 'Proposed by',
    at: 'Proposed on',
    own: 'You have proposed it, so another person confirms it.',
    confirm: 'Confirm',
    refuse: 'Refuse',
  },
  openings: {
    heading: 'Records of an account holder',
    why: 'Why do you open them?',
    text: 'A case number is enough. The audit log keeps who opened whose records, when and why.',
    submit: 'Open',
  },
};
