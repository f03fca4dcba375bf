/* `npm run icons` draws the PNGs of `pages/serve.ts`, so that servers need not install the drawing library. */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')
const PAGES_FOLDER = join(ROOT, 'server/src/platform/pages')
const load = createRequire(join(ROOT, 'server/package.json'))

/** @type {typeof import('esbuild')} */
const { transformSync } = load('esbuild')
/** @type {typeof import('sharp').default} */
const sharp = load('sharp')

const { code } = transformSync(readFileSync(join(PAGES_FOLDER, 'icon.ts'), 'utf8'), { loader: 'ts' })
/** @type {typeof import('../server/src/platform/pages/icon.ts')} */
const { ICON_SVG, MASKABLE_ICON_SVG, SQUARE_ICON_SVG } = await import(
  `data:text/javascript,${encodeURIComponent(code)}`
)

for (const [name, icon, side] of /** @type {const} */ ([
  ['icon-192', ICON_SVG, 192],
  ['icon-512', ICON_SVG, 512],
  ['icon-maskable-512', MASKABLE_ICON_SVG, 512],
  ['apple-touch-icon', SQUARE_ICON_SVG, 180],
])) {
  const picture = sharp(Buffer.from(icon)).resize(side, side).png({ compressionLevel: 9, effort: 10, palette: true })
  writeFileSync(join(PAGES_FOLDER, 'icons', `${name}.png`), await picture.toBuffer())
}
