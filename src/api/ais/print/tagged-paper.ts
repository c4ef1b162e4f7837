/** Text on paper that a screen reader can follow: each piece belongs to an element of the document, and decoration to none. */

type Paper = PDFKit.PDFDocument;
type Element = PDFKit.PDFStructureElement;

/** Decoration, and what is repeated on each page. */
export const decorate = (paper: Paper, draw: () => void): void => {
  paper.markContent('Artifact');
  draw();
  paper.endMarkedContent();
};

export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly align?: 'left' | 'right' | 'center';
}

/** In one line, in smaller letters if it does not fit: a figure is never cut. */
export const oneLine = (
  paper: Paper,
  text: string,
  size: number,
  { x, y, width, align = 'left' }: Place,
): void => {
  const wide = paper.fontSize(size).widthOfString(text);
  if (wide > width) paper.fontSize((size * width) / wide);
  paper.text(text, x, y, { width: width + 1, align, lineBreak: false });
};

/** In as many lines as it needs. */
export const wrapped = (paper: Paper, text: string, size: number, { x, y, width }: Place): void => {
  paper.fontSize(size).text(text, x, y, { width });
};

export const heightOf = (paper: Paper, text: string, size: number, width: number): number =>
  text === '' ? 0 : paper.fontSize(size).heightOfString(text, { width });

/** An element with its own text, drawn at once because its parent is part of the document. */
export const addText = (paper: Paper, parent: Element, type: string, draw: () => void): void => {
  parent.add(paper.struct(type, {}, [draw]));
};

/** A row of cells, each drawn in its turn. */
export const addRow = (
  paper: Paper,
  table: Element,
  type: 'TH' | 'TD',
  cells: readonly (readonly (() => void)[])[],
): void => {
  table.add(
    paper.struct(
      'TR',
      {},
      cells.map((draws) => paper.struct(type, {}, [...draws])),
    ),
  );
};
