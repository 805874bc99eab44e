/** Foreign text for a message: cut, with an ellipsis, if it is longer than `most`. */
export function shorten(text: string, most = 200): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
