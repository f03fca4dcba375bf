import type { TestProject } from 'vitest/node'
import { findBrowser } from './program.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** Undefined if no browser is installed. */
    browser: Awaited<ReturnType<typeof findBrowser>>
  }
}

/** Finds the browser in which tests open the web client; CI fails without one. */
export async function setup(project: TestProject): Promise<void> {
  const browser = await findBrowser()
  if (browser === undefined) {
    if (process.env['CI'] !== undefined) throw new Error('there is no browser to test the web client with')
    process.stderr.write('There is no Chrome or Chromium here: the tests of the web client are skipped.\n')
  }
  project.provide('browser', browser)
}
