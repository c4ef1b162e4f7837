/** The head of a printed statement: the bank, the account, the period and the totals, and on later pages what they are of. */
import { undisguised } from '../../../lib/format/undisguised.js';
import { inFours } from '../../../model/account-reference.js';
import { amountText, dayText, type PrintedStatement, periodText } from './statement-texts.js';
import { addText, decorate, heightOf, oneLine, wrapped } from './tagged-paper.js';

export const INK = '#14212b';
export const QUIET = '#51606b';
export const LINE = '#d5dde3';
const BLUE = '#0b4a75';
export const LEFT = 48;
export const RIGHT = 547;

type Paper = PDFKit.PDFDocument;
type Element = PDFKit.PDFStructureElement;

/** A drawing as SVG cannot be printed here; the first letter of the name stands for it. */
const drawMark = (paper: Paper, { brand, language }: PrintedStatement): void => {
  const { body, type } = brand.logo;
  if (type === 'image/png' && Buffer.isBuffer(body)) {
    paper.image(body, LEFT, 40, { fit: [36, 32] });
    return;
  }
  paper.roundedRect(LEFT, 40, 32, 32, 7).fill(brand.colours?.light?.accent ?? BLUE);
  const [letter = ''] = brand.name(language);
  paper.font('bold').fontSize(17).fillColor('#ffffff');
  paper.text(letter.toUpperCase(), LEFT, 46, { width: 32, align: 'center', lineBreak: false });
};

export const drawHead = (paper: Paper, root: Element, printed: PrintedStatement): number => {
  const { statement, language, messages, brand } = printed;
  decorate(paper, () => drawMark(paper, printed));
  const beside = { x: LEFT + 44, width: RIGHT - LEFT - 44 };
  addText(paper, root, 'H1', () => {
    paper.font('bold').fillColor(INK);
    oneLine(paper, messages.title, 16, { ...beside, y: 42 });
  });
  const bank = [brand.name(language), brand.postalAddress(language)].filter(Boolean).join(' · ');
  paper.font('regular');
  const below = 62 + heightOf(paper, bank, 9, beside.width);
  addText(paper, root, 'P', () => {
    paper.font('regular').fillColor(QUIET);
    wrapped(paper, bank, 9, { ...beside, y: 62 });
  });
  const facts: readonly (readonly [string, string])[] = [
    ...(printed.ownerName === null ? [] : [[messages.owner, printed.ownerName] as const]),
    [messages.account, `${printed.accountName} · ${inFours(printed.accountNumber)} · ${statement.currency}`],
    ...(statement.number ? [[messages.number, undisguised(statement.number)] as const] : []),
    [messages.period, periodText(printed)],
    [messages.madeOn, dayText(printed.issuedOn, messages.locale)],
  ];
  let y = Math.max(96, below + 20);
  const width = RIGHT - LEFT - 104;
  for (const [name, value] of facts) {
    const at = y;
    addText(paper, root, 'P', () => {
      paper.font('regular').fillColor(QUIET);
      oneLine(paper, `${name} `, 9, { x: LEFT, y: at, width: 100 });
      paper.fillColor(INK);
      wrapped(paper, value, 9, { x: LEFT + 104, y: at, width });
    });
    y += heightOf(paper, value, 9, width) + 5;
  }
  return y + 8;
};

export const drawTotals = (
  paper: Paper,
  root: Element,
  { statement, messages }: PrintedStatement,
  top: number,
): number => {
  const { openingMinor, creditsMinor, debitsMinor, closingMinor, creditCount, debitCount, currency } =
    statement;
  const cells: readonly (readonly [string, number])[] = [
    [messages.opening, openingMinor],
    [messages.credits(creditCount), creditsMinor],
    [messages.debits(debitCount), -Math.abs(debitsMinor)],
    [messages.closing, closingMinor],
  ];
  const width = (RIGHT - LEFT) / cells.length;
  decorate(paper, () => {
    paper
      .roundedRect(LEFT, top, RIGHT - LEFT, 46, 6)
      .lineWidth(0.8)
      .strokeColor(LINE)
      .stroke();
  });
  for (const [index, [name, minor]] of cells.entries()) {
    const place = { x: LEFT + index * width + 10, width: width - 14 };
    addText(paper, root, 'P', () => {
      paper.font('regular').fillColor(QUIET);
      oneLine(paper, `${name} `, 8, { ...place, y: top + 9 });
      paper.font('bold').fillColor(INK);
      const amount = `${amountText(minor, currency, messages.locale)} ${currency}`;
      oneLine(paper, amount, 10, { ...place, y: top + 24 });
    });
  }
  return top + 66;
};

/** Whose statement of which account and period this is, for a page that lies alone. */
export const drawRunningHead = (paper: Paper, printed: PrintedStatement): number => {
  const { ownerName, accountNumber } = printed;
  const text = [ownerName, inFours(accountNumber), periodText(printed)].filter(Boolean).join(' · ');
  paper.font('regular');
  const height = heightOf(paper, text, 8, RIGHT - LEFT);
  decorate(paper, () => {
    paper.fillColor(QUIET);
    wrapped(paper, text, 8, { x: LEFT, y: 40, width: RIGHT - LEFT });
  });
  return 40 + height + 12;
};
