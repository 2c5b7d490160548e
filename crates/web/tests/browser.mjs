// The browser for tests, headless: Chromium at $CHROMIUM, or where Debian puts it.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
}

/** Accessibility violations found by axe. */
export async function hindrances(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run());
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.html).join(" | ")}`);
}

/** The difference between two pictures, from 0 to 1. */
export function difference(page, one, other) {
  return page.evaluate(async ([one, other]) => {
    const pixels = async (url) => {
      const image = new Image();
      image.src = `data:image/png;base64,${url}`;
      await image.decode();
      const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      return [image.width, context.getImageData(0, 0, image.width, image.height).data];
    };
    const [[width, a], [wide, b]] = [await pixels(one), await pixels(other)];
    if (width !== wide || a.length !== b.length) return 1;
    let differ = 0;
    for (let i = 0; i < a.length; i += 4) {
      const far = Math.abs(a[i] - b[i]) + Math.abs(a[i + 1] - b[i + 1]) + Math.abs(a[i + 2] - b[i + 2]);
      if (far > 96) differ++;
    }
    return differ / (a.length / 4);
  }, [one.toString("base64"), other.toString("base64")]);
}
