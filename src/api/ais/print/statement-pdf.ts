/**
 * A statement as a printed page. The library and the fonts are loaded with the first one; the fonts are embedded, because the
 * built-in ones of PDF have no Greek letters.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import type { BankTransaction, Statement } from '../../../bank/history.js';
import { undisguised } from '../../../lib/format/undisguised.js';
import { inFours } from '../../../model/account-reference.js';
import { decimalsOf, fromMinor } from '../../../model/amount.js';
import type { Brand } from '../../../web/brand/brand.js';
import { kindWord, type StatementLanguage, statementMessages } from './messages.js';

export interface PrintedStatement {
  readonly brand: Pick<Brand, 'name' | 'postalAddress' | 'accent' | 'logo'>;
  readonly language: StatementLanguage;
  /** Null if the consent does not open the owner's name. */
  readonly ownerName: string | null;
  readonly accountName: string;
  readonly accountNumber: string;
  readonly statement: Statement;
  /** The day on which the statement was made, in the bank's zone. */
  readonly issuedOn: string;
  /** Newest first, as the bank gives them; those without details tell only what kind of entry they are. */
  readonly transactions: readonly PrintedTransaction[];
}

export type PrintedTransaction = Pick<
  BankTransaction,
  'bookingDate' | 'valueDate' | 'amountMinor' | 'currency' | 'code' | 'proprietaryCode' | 'balanceMinor'
> & { readonly details: BankTransaction['details'] | null };

const INK = '#14212b';
const QUIET = '#51606b';
const LINE = '#d5dde3';
const BLUE = '#0b4a75';
const LEFT = 48;
const RIGHT = 547;
const BOTTOM = 770;

type Paper = PDFKit.PDFDocument;

const loadFonts = async (): Promise<{ regular: Buffer; bold: Buffer }> => {
  const require = createRequire(import.meta.url);
  const [regular, bold] = await Promise.all([
    readFile(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')),
    readFile(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf')),
  ]);
  return { regular, bold };
};
let fonts: ReturnType<typeof loadFonts> | undefined;

const amountText = (minor: number, currency: string, locale: string): string => {
  const digits = decimalsOf(currency) ?? 2;
  return new Intl.NumberFormat(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(fromMinor(minor, currency));
};

const dayText = (day: string | null, locale: string): string =>
  day === null
    ? ''
    : new Intl.DateTimeFormat(locale, {
        day: '2-digit',
        month: '2-digit',
        year: 'numeric',
        timeZone: 'UTC',
      }).format(Date.parse(`${day}T00:00:00Z`));

/** A drawing as SVG cannot be printed here; the first letter of the name stands for it. */
const drawMark = (paper: Paper, { brand, language }: PrintedStatement): void => {
  const { body, type } = brand.logo;
  if (type === 'image/png' && Buffer.isBuffer(body)) {
    paper.image(body, LEFT, 40, { fit: [36, 32] });
    return;
  }
  paper.roundedRect(LEFT, 40, 32, 32, 7).fill(brand.accent ?? BLUE);
  const [letter = ''] = brand.name(language);
  paper.font('bold').fontSize(17).fillColor('#ffffff');
  paper.text(letter.toUpperCase(), LEFT, 46, { width: 32, align: 'center', lineBreak: false });
};

/** One line of text; what does not fit ends with an ellipsis. */
const line = (
  paper: Paper,
  text: string,
  x: number,
  y: number,
  width: number,
  align: 'left' | 'right' = 'left',
): void => {
  paper.text(text, x, y, { width, align, height: 12, lineBreak: false, ellipsis: true });
};

const drawHead = (paper: Paper, printed: PrintedStatement): number => {
  const { statement, language } = printed;
  const messages = statementMessages[language];
  drawMark(paper, printed);
  paper
    .font('bold')
    .fontSize(16)
    .fillColor(INK)
    .text(messages.title, LEFT + 44, 42);
  paper.font('regular').fontSize(9).fillColor(QUIET);
  const { brand } = printed;
  const bank = [brand.name(language), brand.postalAddress(language)].filter(Boolean).join(' · ');
  line(paper, bank, LEFT + 44, 62, RIGHT - LEFT - 44);
  const facts: readonly (readonly [string, string])[] = [
    ...(printed.ownerName === null ? [] : [[messages.owner, printed.ownerName] as const]),
    [messages.account, `${printed.accountName} · ${inFours(printed.accountNumber)} · ${statement.currency}`],
    ...(statement.number ? [[messages.number, undisguised(statement.number)] as const] : []),
    [
      messages.period,
      `${dayText(statement.from, messages.locale)} – ${dayText(statement.to, messages.locale)}`,
    ],
    [messages.madeOn, dayText(printed.issuedOn, messages.locale)],
  ];
  let y = 96;
  for (const [name, value] of facts) {
    paper.font('regular').fontSize(9).fillColor(QUIET);
    line(paper, name, LEFT, y, 100);
    paper.fillColor(INK);
    line(paper, value, LEFT + 104, y, RIGHT - LEFT - 104);
    y += 16;
  }
  return y + 8;
};

const drawTotals = (paper: Paper, { statement, language }: PrintedStatement, top: number): number => {
  const messages = statementMessages[language];
  const { openingMinor, creditsMinor, debitsMinor, closingMinor, creditCount, debitCount, currency } =
    statement;
  const cells: readonly (readonly [string, number])[] = [
    [messages.opening, openingMinor],
    [messages.credits(creditCount), creditsMinor],
    [messages.debits(debitCount), -Math.abs(debitsMinor)],
    [messages.closing, closingMinor],
  ];
  const width = (RIGHT - LEFT) / cells.length;
  paper
    .roundedRect(LEFT, top, RIGHT - LEFT, 46, 6)
    .lineWidth(0.8)
    .strokeColor(LINE)
    .stroke();
  for (const [index, [name, minor]] of cells.entries()) {
    const x = LEFT + index * width + 10;
    paper.font('regular').fontSize(8).fillColor(QUIET);
    line(paper, name, x, top + 9, width - 14);
    paper.font('bold').fontSize(10).fillColor(INK);
    line(paper, amountText(minor, currency, messages.locale), x, top + 24, width - 14);
  }
  return top + 66;
};

const BALANCE = 81;

/** Without balances the amounts move to the right edge. */
const columnsOf = ({ transactions }: PrintedStatement) => {
  const balance = transactions.some(({ balanceMinor }) => balanceMinor != null) ? BALANCE : 0;
  return [
    { x: LEFT, width: 62, align: 'left' },
    { x: LEFT + 66, width: 62, align: 'left' },
    { x: LEFT + 132, width: 295 - balance, align: 'left' },
    { x: LEFT + 431 - balance, width: 68, align: 'right' },
    ...(balance ? [{ x: LEFT + 422, width: 77, align: 'right' } as const] : []),
  ] as const;
};
type Columns = ReturnType<typeof columnsOf>;

const drawCells = (paper: Paper, columns: Columns, cells: readonly string[], y: number): void => {
  for (const [index, column] of columns.entries())
    line(paper, cells[index] ?? '', column.x, y, column.width, column.align);
};

const drawColumnHeads = (paper: Paper, columns: Columns, language: StatementLanguage, y: number): number => {
  paper.font('bold').fontSize(8).fillColor(QUIET);
  drawCells(paper, columns, statementMessages[language].columns, y);
  paper
    .moveTo(LEFT, y + 14)
    .lineTo(RIGHT, y + 14)
    .lineWidth(0.8)
    .strokeColor(LINE)
    .stroke();
  return y + 20;
};

/** The kind of the entry, and below it the details that the consent opens. */
const describe = (
  transaction: PrintedTransaction,
  language: StatementLanguage,
): readonly [string, string] => {
  const { details } = transaction;
  const kind = kindWord(transaction, language);
  if (!details) return [kind, ''];
  const messages = statementMessages[language];
  const { exchange } = details;
  const [counterpartyName, remittanceInformation] = [
    details.counterpartyName,
    details.remittanceInformation,
  ].map((text) => text && undisguised(text));
  const foreign = exchange
    ? `${amountText(Math.abs(exchange.amountMinor), exchange.currency, messages.locale)} ${exchange.currency}, ${messages.rate} ${exchange.rate}`
    : null;
  const more = [foreign, remittanceInformation].filter((part) => part !== null && part !== '');
  return [counterpartyName ?? kind, [...(counterpartyName ? [kind] : []), ...more].join(' · ')];
};

const ROW = 28;

const drawRow = (
  paper: Paper,
  columns: Columns,
  each: PrintedTransaction,
  language: StatementLanguage,
  y: number,
): void => {
  const { locale } = statementMessages[language];
  const [what, more] = describe(each, language);
  const balance = each.balanceMinor == null ? '' : amountText(each.balanceMinor, each.currency, locale);
  const cells = [
    dayText(each.bookingDate, locale),
    dayText(each.valueDate, locale),
    what,
    amountText(each.amountMinor, each.currency, locale),
    balance,
  ];
  paper.font('regular').fontSize(8.5).fillColor(INK);
  drawCells(paper, columns, cells, y);
  paper.fontSize(7.5).fillColor(QUIET);
  line(paper, more, columns[2].x, y + 11, columns[2].width);
};

const drawPageNumbers = (paper: Paper, language: StatementLanguage): void => {
  const { start, count } = paper.bufferedPageRange();
  for (let index = start; index < start + count; index += 1) {
    paper.switchToPage(index);
    paper.font('regular').fontSize(7.5).fillColor(QUIET);
    line(paper, statementMessages[language].page(index + 1, count), LEFT, 800, RIGHT - LEFT, 'right');
  }
};

const drawBody = async (paper: Paper, printed: PrintedStatement): Promise<void> => {
  const { language, transactions, statement } = printed;
  const messages = statementMessages[language];
  const columns = columnsOf(printed);
  let y = drawColumnHeads(paper, columns, language, drawTotals(paper, printed, drawHead(paper, printed)));
  for (const each of transactions) {
    if (y + ROW > BOTTOM) {
      // Other callers have their turn between two pages.
      await setImmediate();
      paper.addPage();
      y = drawColumnHeads(paper, columns, language, 48);
    }
    drawRow(paper, columns, each, language, y);
    y += ROW;
  }
  const all = statement.creditCount + statement.debitCount;
  const shown = transactions.length;
  const note = all === 0 ? messages.none : all > shown ? messages.cut(shown, all) : '';
  paper.font('regular').fontSize(8.5).fillColor(QUIET);
  line(paper, note, LEFT, y + 4, RIGHT - LEFT);
};

export const statementPdf = async (printed: PrintedStatement): Promise<Buffer> => {
  fonts ??= loadFonts();
  const [{ default: Document }, { regular, bold }] = await Promise.all([import('pdfkit'), fonts]);
  const { language, statement } = printed;
  const messages = statementMessages[language];
  const madeAt = new Date(statement.createdAt);
  const paper = new Document({
    size: 'A4',
    // Everything is placed by hand: the library must not begin pages of its own accord.
    margins: { top: 0, bottom: 0, left: 0, right: 0 },
    bufferPages: true,
    lang: language,
    displayTitle: true,
    info: {
      Title: `${messages.title} ${statement.from} – ${statement.to}`,
      CreationDate: madeAt,
      ModDate: madeAt,
    },
  });
  paper.registerFont('regular', regular).registerFont('bold', bold);
  const chunks: Buffer[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    paper.on('data', (chunk: Buffer) => chunks.push(chunk));
    paper.on('end', resolve);
    paper.on('error', reject);
  });
  await drawBody(paper, printed);
  drawPageNumbers(paper, language);
  paper.end();
  await ended;
  return Buffer.concat(chunks);
};
