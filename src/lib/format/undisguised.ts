/**
 * Characters that show nothing themselves but turn, hide or part what stands around them. In a name or a message from outside they
 * would make two different texts look alike, so each is shown as the sign for "not a character". The last one is a blank of Braille.
 */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** A text from outside, with nothing invisible in it. */
export const undisguised = (text: string): string => text.replace(INVISIBLE, '\ufffd');

/** One line that shows all it says. */
export const isPlain = (text: string): boolean => undisguised(text) === text && text.trim() !== '';
