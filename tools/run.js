import { spawn } from 'node:child_process'

/**
 * Runs a program to its end.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<number>} its exit code
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options })
    // A signal that stops this process stops what it runs; Ctrl-C reaches the child by itself.
    const stop = () => void child.kill('SIGTERM')
    process.once('SIGTERM', stop)
    child.once('error', reject)
    child.once('exit', (code) => {
      process.removeListener('SIGTERM', stop)
      resolve(code ?? 1)
    })
  })
}
