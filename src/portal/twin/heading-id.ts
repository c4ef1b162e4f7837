/** The id of a heading, as code hosts and readers of Markdown make it, so that a link to it works there and here. */
export const headingId = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}\s-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
