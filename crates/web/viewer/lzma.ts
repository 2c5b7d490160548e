// Unpacks LZMA, the format of the packed core: libraries take seconds for it. Each part is a
// stream after its length, four bytes, the least significant first. A stream is lzma_alone of Igor
// Pavlov's LZMA specification, with the size in its header.

const STATES = 12;
const TOP = 1 << 24;

/** Unpacks the parts of a packed file, one after the other. Throws if it is damaged. */
export function unpack(packed: Uint8Array): Uint8Array {
  const view = new DataView(packed.buffer, packed.byteOffset);
  const parts: Uint8Array[] = [];
  for (let at = 0; at < packed.length; ) {
    const start = at + 4;
    at = start + view.getUint32(at, true);
    parts.push(unpackStream(packed.subarray(start, at)));
  }
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let end = 0;
  for (const part of parts) {
    whole.set(part, end);
    end += part.length;
  }
  return whole;
}

/** Unpacks an lzma_alone file with the size in its header. Throws if it is damaged. */
function unpackStream(packed: Uint8Array): Uint8Array {
  const props = packed[0];
  const size = new DataView(packed.buffer, packed.byteOffset).getUint32(5, true);
  const lc = props % 9;
  const lp = Math.floor(props / 9) % 5;
  const pb = Math.floor(props / 45);
  const out = new Uint8Array(size);
  const probs = (count: number) => new Uint16Array(count).fill(1024);
  const literals = probs(0x300 << (lc + lp));
  const isMatch = probs(STATES << 4);
  const isRep = probs(STATES);
  const isRepG0 = probs(STATES);
  const isRepG1 = probs(STATES);
  const isRepG2 = probs(STATES);
  const isRep0Long = probs(STATES << 4);
  const slots = [0, 1, 2, 3].map(() => probs(64));
  const specials = probs(115);
  const align = probs(16);
  const lengths = () => ({
    choice: probs(2),
    low: probs(16 << 3),
    mid: probs(16 << 3),
    high: probs(256),
  });
  const matchLength = lengths();
  const repLength = lengths();

  let at = 13;
  let range = 0xffffffff;
  let code = 0;
  for (let i = 0; i < 5; i++) code = ((code << 8) | packed[at++]) >>> 0;

  const normalize = () => {
    if (range < TOP) {
      range = (range << 8) >>> 0;
      code = ((code << 8) | packed[at++]) >>> 0;
    }
  };
  const bit = (table: Uint16Array, index: number): number => {
    const prob = table[index];
    const bound = (range >>> 11) * prob;
    if (code < bound) {
      range = bound;
      table[index] = prob + ((2048 - prob) >>> 5);
      normalize();
      return 0;
    }
    range = (range - bound) >>> 0;
    code = (code - bound) >>> 0;
    table[index] = prob - (prob >>> 5);
    normalize();
    return 1;
  };
  const tree = (table: Uint16Array, from: number, bits: number): number => {
    let symbol = 1;
    for (let i = 0; i < bits; i++) symbol = (symbol << 1) | bit(table, from + symbol);
    return symbol - (1 << bits);
  };
  const reverse = (table: Uint16Array, from: number, bits: number): number => {
    let symbol = 1;
    let value = 0;
    for (let i = 0; i < bits; i++) {
      const one = bit(table, from + symbol);
      symbol = (symbol << 1) | one;
      value |= one << i;
    }
    return value;
  };
  const direct = (bits: number): number => {
    let value = 0;
    for (let i = 0; i < bits; i++) {
      range >>>= 1;
      const one = code >= range ? 1 : 0;
      if (one) code = (code - range) >>> 0;
      value = (value << 1) | one;
      normalize();
    }
    return value;
  };
  const length = (table: ReturnType<typeof lengths>, place: number): number => {
    if (!bit(table.choice, 0)) return tree(table.low, place << 3, 3);
    if (!bit(table.choice, 1)) return 8 + tree(table.mid, place << 3, 3);
    return 16 + tree(table.high, 0, 8);
  };

  let state = 0;
  let rep0 = 0;
  let rep1 = 0;
  let rep2 = 0;
  let rep3 = 0;
  let done = 0;
  while (done < size) {
    const place = done & ((1 << pb) - 1);
    if (!bit(isMatch, (state << 4) + place)) {
      const before = done > 0 ? out[done - 1] : 0;
      const context = ((done & ((1 << lp) - 1)) << lc) + (before >>> (8 - lc));
      const from = 0x300 * context;
      let symbol = 1;
      if (state >= 7) {
        let match = out[done - rep0 - 1];
        while (symbol < 0x100) {
          const expected = (match >>> 7) & 1;
          match <<= 1;
          const one = bit(literals, from + ((1 + expected) << 8) + symbol);
          symbol = (symbol << 1) | one;
          if (one !== expected) break;
        }
      }
      while (symbol < 0x100) symbol = (symbol << 1) | bit(literals, from + symbol);
      out[done++] = symbol;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let run: number;
    if (bit(isRep, state)) {
      if (!bit(isRepG0, state)) {
        if (!bit(isRep0Long, (state << 4) + place)) {
          state = state < 7 ? 9 : 11;
          out[done] = out[done - rep0 - 1];
          done++;
          continue;
        }
      } else {
        let distance: number;
        if (!bit(isRepG1, state)) {
          distance = rep1;
        } else {
          if (!bit(isRepG2, state)) {
            distance = rep2;
          } else {
            distance = rep3;
            rep3 = rep2;
          }
          rep2 = rep1;
        }
        rep1 = rep0;
        rep0 = distance;
      }
      run = length(repLength, place);
      state = state < 7 ? 8 : 11;
    } else {
      rep3 = rep2;
      rep2 = rep1;
      rep1 = rep0;
      run = length(matchLength, place);
      state = state < 7 ? 7 : 10;
      const slot = tree(slots[Math.min(run, 3)], 0, 6);
      rep0 = slot;
      if (slot >= 4) {
        const bits = (slot >> 1) - 1;
        rep0 = (2 | (slot & 1)) << bits;
        if (slot < 14) rep0 += reverse(specials, rep0 - slot, bits);
        else rep0 += direct(bits - 4) * 16 + reverse(align, 0, 4);
      }
    }
    if (rep0 >= done || at > packed.length + 4) throw new Error("the packed core is damaged");
    for (let end = Math.min(done + run + 2, size); done < end; done++) {
      out[done] = out[done - rep0 - 1];
    }
  }
  return out;
}
