import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../server/src/testing/free-port.ts'
import { installedProgram } from '../../tools/installed-program.js'

const DOCUMENTED_FOLDER = fileURLToPath(new URL('../../docs/operating/', import.meta.url))
const POLL_INTERVAL_MILLISECONDS = 20
/** Addresses of servers in the documented files. */
const DOCUMENTED_SERVERS = ['10.0.0.11:8800', '10.0.0.12:8800', '10.0.0.13:8800']

/** Program and configuration of one kind of proxy. */
interface ProxyKind {
  readonly program: string
  /** Writes the configuration. @returns the program's arguments */
  configured(folder: string, port: number, servers: readonly string[]): Promise<readonly string[]>
}

export const PROXIES = {
  HAProxy: {
    program: 'haproxy',
    async configured(folder, port, servers) {
      const documented = replaceServers(await readDocumentedFile('haproxy.cfg'), servers)
      // This test does not cover TLS.
      const text = replaceExpected(documented, /^ {2}bind .*$/m, `  bind 127.0.0.1:${port}`)
      await writeFile(join(folder, 'haproxy.cfg'), text)
      return ['-db', '-f', join(folder, 'haproxy.cfg')]
    },
  },
  nginx: {
    program: 'nginx',
    async configured(folder, port, servers) {
      const [site, nodes] = await Promise.all(['nginx.conf', 'nginx-nodes.conf'].map(readDocumentedFile))
      const upstream = replaceServers(nodes ?? '', servers)
      const encrypted = replaceExpected(site ?? '', /^upstream parley \{[^}]*\}$/m, upstream)
      const plain = replaceExpected(
        encrypted,
        /^ {2}listen 443 ssl http2;$/m,
        `  listen 127.0.0.1:${port} default_server;`,
      )
        .replace(/^server \{\n(?: {2}listen (?:\[::\]:)?80;\n)+[^}]*\}$/m, '')
        .replaceAll(/^ {2}(?:listen \[::\]|ssl_).*$/gm, '')
      const own = ['body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name === 'body' ? 'client_body' : name}_temp_path ${join(folder, name)};`,
      )
      const text = `daemon off; user root; pid ${join(folder, 'pid')}; events {} http { access_log off; ${own.join(' ')}\n${plain} }`
      await writeFile(join(folder, 'nginx.conf'), text)
      return ['-c', join(folder, 'nginx.conf'), '-e', join(folder, 'errors')]
    },
  },
} satisfies Record<string, ProxyKind>

export type ProxyName = keyof typeof PROXIES

/** A proxy process with the documented configuration, except for addresses and TLS. */
export class Proxy {
  readonly url: string
  readonly #child: ChildProcess
  readonly #folder: string

  private constructor(url: string, child: ChildProcess, folder: string) {
    this.url = url
    this.#child = child
    this.#folder = folder
  }

  /** Resolves when the proxy listens. */
  static async start(name: ProxyName, servers: readonly string[]): Promise<Proxy> {
    const kind: ProxyKind = PROXIES[name]
    const program = findProxyProgram(name)
    if (program === undefined) throw new Error(`${kind.program} is not installed`)
    const [folder, port] = await Promise.all([mkdtemp(join(tmpdir(), 'parley-proxy-')), freePort()])
    const child = spawn(program, await kind.configured(folder, port, servers), { stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
    while (!(await isListening(port))) {
      if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}: ${said}`)
      await sleep(POLL_INTERVAL_MILLISECONDS)
    }
    return new Proxy(`http://127.0.0.1:${port}`, child, folder)
  }

  async close(): Promise<void> {
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGTERM')
    await ended
    await rm(this.#folder, { recursive: true, force: true })
  }
}

/** The proxy's program; undefined if not installed. */
export function findProxyProgram(name: ProxyName): string | undefined {
  return installedProgram(PROXIES[name].program)
}

async function readDocumentedFile(name: string): Promise<string> {
  return readFile(join(DOCUMENTED_FOLDER, name), 'utf8')
}

function replaceServers(text: string, servers: readonly string[]): string {
  return DOCUMENTED_SERVERS.reduce((changed, documented, index) => {
    return replaceExpected(changed, documented, servers[index] ?? '')
  }, text)
}

/** @throws if the documented file does not contain the text to replace */
function replaceExpected(text: string, what: string | RegExp, by: string): string {
  const changed = text.replace(what, () => by)
  if (changed === text) throw new Error(`the documented file has no ${String(what)}`)
  return changed
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
