/**
 * A statement as a printed page. The library and the fonts are loaded with the first one; the fonts are embedded, because the
 * built-in ones of PDF have no Greek letters.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import type { StatementMessages } from './messages.js';
import { drawHead, drawRunningHead, drawTotals, INK, LEFT, LINE, QUIET, RIGHT } from './statement-head.js';
import {
  amountText,
  dayText,
  describe,
  type PrintedStatement,
  type PrintedTransaction,
} from './statement-texts.js';
import { addRow, addText, decorate, heightOf, oneLine, wrapped } from './tagged-paper.js';

const BOTTOM = 770;

type Paper = PDFKit.PDFDocument;
type Element = PDFKit.PDFStructureElement;

const loadFonts = async (): Promise<{ regular: Buffer; bold: Buffer }> => {
  const require = createRequire(import.meta.url);
  const [regular, bold] = await Promise.all([
    readFile(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')),
    readFile(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf')),
  ]);
  return { regular, bold };
};
let fonts: ReturnType<typeof loadFonts> | undefined;

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

/** On the first page part of the table, on the others a repetition. */
const drawColumnHeads = (
  paper: Paper,
  { messages, statement }: PrintedStatement,
  columns: Columns,
  y: number,
  table?: Element,
): number => {
  const names = messages.columns;
  const draws = columns.map(({ x, width, align }, index) => () => {
    const name = index < 3 ? names[index] : `${names[index]} (${statement.currency})`;
    paper.font('bold').fillColor(QUIET);
    oneLine(paper, name ?? '', 8, { x, y, width, align });
  });
  if (table)
    addRow(
      paper,
      table,
      'TH',
      draws.map((draw) => [draw]),
    );
  else for (const draw of draws) decorate(paper, draw);
  decorate(paper, () => {
    paper
      .moveTo(LEFT, y + 14)
      .lineTo(RIGHT, y + 14)
      .lineWidth(0.8)
      .strokeColor(LINE)
      .stroke();
  });
  return y + 20;
};

const SPACE = 8;

/** How high the row is, and how it is drawn there. */
const rowOf = (
  paper: Paper,
  columns: Columns,
  each: PrintedTransaction,
  messages: StatementMessages,
): { readonly height: number; draw(table: Element, y: number): void } => {
  const { locale } = messages;
  const [what, more] = describe(each, messages);
  const { x, width } = columns[2];
  paper.font('regular');
  const first = heightOf(paper, what, 8.5, width);
  const height = first + heightOf(paper, more, 7.5, width) + SPACE;
  const texts = [
    dayText(each.bookingDate, locale),
    dayText(each.valueDate, locale),
    what,
    amountText(each.amountMinor, each.currency, locale),
    each.balanceMinor == null ? '' : amountText(each.balanceMinor, each.currency, locale),
  ];
  const draw = (table: Element, y: number): void => {
    const inked = (text: string, column: Columns[number]) => () => {
      paper.font('regular').fillColor(INK);
      if (column.x === x) wrapped(paper, text, 8.5, { ...column, y });
      else oneLine(paper, text, 8.5, { ...column, y });
    };
    const below = () => {
      paper.font('regular').fillColor(QUIET);
      wrapped(paper, more, 7.5, { x, y: y + first, width });
    };
    const cells = columns.map((column, index) => [
      inked(texts[index] ?? '', column),
      ...(column.x === x && more !== '' ? [below] : []),
    ]);
    addRow(paper, table, 'TD', cells);
  };
  return { height, draw };
};

const drawPageNumbers = (paper: Paper, messages: StatementMessages): void => {
  const { start, count } = paper.bufferedPageRange();
  for (let index = start; index < start + count; index += 1) {
    paper.switchToPage(index);
    decorate(paper, () => {
      paper.font('regular').fillColor(QUIET);
      const place = { x: LEFT, y: 800, width: RIGHT - LEFT, align: 'right' } as const;
      oneLine(paper, messages.page(index + 1, count), 7.5, place);
    });
  }
};

const drawBody = async (paper: Paper, printed: PrintedStatement): Promise<void> => {
  const { messages, transactions, statement } = printed;
  const columns = columnsOf(printed);
  const root = paper.struct('Document');
  paper.addStructure(root);
  const top = drawTotals(paper, root, printed, drawHead(paper, root, printed));
  const table = paper.struct('Table');
  root.add(table);
  let y = drawColumnHeads(paper, printed, columns, top, table);
  for (const each of transactions) {
    const row = rowOf(paper, columns, each, messages);
    if (y + row.height > BOTTOM) {
      // Other callers have their turn between two pages.
      await setImmediate();
      paper.addPage();
      y = drawColumnHeads(paper, printed, columns, drawRunningHead(paper, printed));
    }
    row.draw(table, y);
    y += row.height;
  }
  const all = statement.creditCount + statement.debitCount;
  const shown = transactions.length;
  const note = all === 0 ? messages.none : all > shown ? messages.cut(shown, all) : '';
  if (note !== '')
    addText(paper, root, 'P', () => {
      paper.font('regular').fillColor(QUIET);
      wrapped(paper, note, 8.5, { x: LEFT, y: y + 4, width: RIGHT - LEFT });
    });
  root.end();
};

export const statementPdf = async (printed: PrintedStatement): Promise<Buffer> => {
  fonts ??= loadFonts();
  const [{ default: Document }, { regular, bold }] = await Promise.all([import('pdfkit'), fonts]);
  const { language, messages, statement } = printed;
  const madeAt = new Date(statement.createdAt);
  const paper = new Document({
    size: 'A4',
    // Everything is placed by hand: the library must not begin pages of its own accord.
    margins: { top: 0, bottom: 0, left: 0, right: 0 },
    bufferPages: true,
    pdfVersion: '1.5',
    tagged: true,
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
  drawPageNumbers(paper, messages);
  paper.end();
  await ended;
  return Buffer.concat(chunks);
};
