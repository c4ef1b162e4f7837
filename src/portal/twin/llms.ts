/** `/llms.txt`: what this service is, and every page as Markdown (llmstxt.org). */
import type { ShellProps } from '../../web/components/shell.js';
import { installClient } from '../reference/client.js';

export interface ListedPage extends Pick<ShellProps, 'title' | 'description'> {
  readonly section: string;
  /** The address of its twin. */
  readonly address: string;
}

const firstLine = (text: string): string => text.split(/(?<=[.])\s/)[0] ?? text;

export const llmsText = (baseUrl: string, pages: readonly ListedPage[]): string => {
  const sections = [...new Set(pages.map(({ section }) => section))].map((section) => {
    const links = pages
      .filter((page) => page.section === section)
      .map(({ title, address, description }) => `- [${title}](${address}): ${firstLine(description)}`);
    return `## ${section}\n\n${links.join('\n')}\n`;
  });
  return [
    '# Trapeza\n',
    '> The PSD2 interface of a bank: registered third parties confirm funds, read accounts and initiate payments with the consent of the account holder.\n',
    `The whole interface as OpenAPI: ${baseUrl}/openapi.json\n`,
    `A client for JavaScript and TypeScript: \`${installClient(baseUrl)}\`\n`,
    ...sections,
  ].join('\n');
};
