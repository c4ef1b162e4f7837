/** The simulator's own paper of a statement: one page with one line, written by hand. */
import type { Statement } from 'trapeza/bank';

/** Objects begin where the table at the end says; all of it is ASCII, so letters are bytes. */
const assembled = (objects: readonly string[]): Uint8Array => {
  let text = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const place = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}`;
  return Buffer.from(
    `${text}${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
  );
};

export const pdfOf = ({ from, to, id }: Statement): Uint8Array => {
  const content = `BT /F1 14 Tf 50 780 Td (Statement of the core simulator, ${from} to ${to}) Tj 0 -20 Td (${id}) Tj ET`;
  return assembled([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << /Font << /F1 4 0 R >> >> >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ]);
};
