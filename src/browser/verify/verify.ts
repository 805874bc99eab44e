/** The page that checks a receipt, with the same code as `tidings verify-receipt` and the cryptography of the browser. */
import { decodeReceipt, type Receipt } from '../../codecs/tlog/receipt.ts';
import { provenFacts, receiptWords } from '../../codecs/tlog/receipt-words.ts';
import { decodeVerifierKey } from '../../codecs/tlog/verifier-key.ts';
import { verifyReceipt } from '../../codecs/tlog/verify-receipt.ts';
import { type Given, showVerifier, type VerifiedLine } from './verify-page.ts';
import { type BrowserCrypto, CryptoMissingError, withWebCrypto } from './web-crypto.ts';

const place = document.getElementById('verifier');
if (place !== null) showVerifier(place, check);

async function check({ receipt, vkey }: Given): Promise<VerifiedLine> {
  const decoded = decodeReceipt(receipt);
  if (!decoded.ok) return refused(`This is no receipt: ${decoded.issues[0].message}`);
  try {
    return await withWebCrypto((crypto) => findingOf(decoded.value, vkey, crypto));
  } catch (error) {
    if (!(error instanceof CryptoMissingError)) throw error;
    return refused(error.message);
  }
}

function findingOf(receipt: Receipt, vkey: string, crypto: BrowserCrypto): VerifiedLine {
  const trusted = vkey === '' ? undefined : decodeVerifierKey(vkey, crypto.sha256);
  if (trusted?.ok === false) return refused(`The key that you trust cannot be read: ${trusted.issues[0].message}`);
  const proven = verifyReceipt(receipt, { ...crypto, ...(trusted && { trusted: trusted.value }) });
  if (!proven.ok) return refused(`The receipt proves nothing: ${proven.issues[0].message}`);
  const { is, sentence } = receiptWords(proven.value);
  const texts = Object.entries(receipt.texts).map(([field, { text }]) => [`Text "${field}"`, text] as const);
  return { is, words: sentence, facts: [...provenFacts(proven.value), ...texts] };
}

function refused(words: string): VerifiedLine {
  return { is: 'refused', words, facts: [] };
}
