/* Baseline for startup: only Node and the database. Takes options as JSON, and exits when standard input closes. */
import { execFileSync, spawn } from 'node:child_process'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'

/** @type {{ command: readonly string[], cwd: string, uid: number, gid: number, socket: string, first: boolean }} */
const { command, cwd, uid, gid, socket, first } = JSON.parse(process.argv[2] ?? '')
const [file = '', ...args] = command
const RETRY_DELAY_MILLISECONDS = 2
const PROTOCOL_VERSION = 196_608
const SUPERUSER = 'parley'

if (first) {
  const initdb = [
    '--pgdata=/proc/self/cwd',
    `--username=${SUPERUSER}`,
    '--auth-local=trust',
    '--encoding=UTF8',
    '--locale=C',
  ]
  execFileSync(join(dirname(file), 'initdb'), [...initdb, '--data-checksums', '--no-instructions'], {
    uid,
    gid,
    cwd,
    stdio: 'ignore',
  })
}
const server = spawn(file, args, { cwd, uid, gid, stdio: 'ignore' })
const parameters = Buffer.from(`user\0${SUPERUSER}\0database\0postgres\0\0`)
const startupMessage = Buffer.alloc(8 + parameters.length)
startupMessage.writeInt32BE(startupMessage.length, 0)
startupMessage.writeInt32BE(PROTOCOL_VERSION, 4)
parameters.copy(startupMessage, 8)

function waitForServer() {
  const client = connect(socket, () => client.write(startupMessage))
  const again = () => void setTimeout(waitForServer, RETRY_DELAY_MILLISECONDS)
  client.on('error', again)
  client.on('data', (answer) => {
    client.destroy()
    // Retries, because the server answers with an error while it starts.
    if (String(answer).startsWith('R')) console.log('ready')
    else again()
  })
}
waitForServer()
process.stdin.resume()
process.stdin.on('end', () => server.kill('SIGINT'))
