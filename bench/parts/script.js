/*
 * Programs of a benchmark that run beside it, each a process of its own: they must not take from what they measure.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/**
 * Runs a program that is told what to do in one JSON text on its standard input and answers with another.
 * @param {string} file under bench/
 * @param {object} options
 * @returns {Promise<unknown>} its answer
 */
export async function answerOf(file, options) {
  const child = start(file)
  child.stdin.end(JSON.stringify(options))
  const [answer, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  if (code !== 0) throw new Error(`${file} ended with ${String(code)}`)
  return JSON.parse(answer)
}

/**
 * A server that prints its address in one line, stopped after use.
 * @template T
 * @param {string} file under bench/
 * @param {(url: string) => Promise<T>} use
 */
export async function withScript(file, use) {
  const child = start(file)
  try {
    const [line] = await once(child.stdout, 'data')
    return await use(String(line).trim())
  } finally {
    child.kill()
    await once(child, 'close')
  }
}

/** @param {string} file */
function start(file) {
  return spawn(process.execPath, [fileURLToPath(new URL(`../${file}`, import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
}
