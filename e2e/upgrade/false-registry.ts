import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { folderOfMajorVersion } from '../../server/src/platform/upgrading/older.ts'
import { portOf } from '../../server/src/testing/free-port.ts'

const VERSION_PATTERN = /"version": "([^"]+)"/

/** A registry that serves modified packages of an older major version. */
export async function startFalseRegistry(major: number): Promise<{
  readonly url: string
  readonly asked: () => readonly string[]
  close(): Promise<void>
}> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '')
    asked.push(path)
    if (path.endsWith('.tgz')) {
      response.end('no package')
      return
    }
    const name = path.slice(1)
    const version = String(
      VERSION_PATTERN.exec(readFileSync(join(folderOfMajorVersion(major), 'package-lock.json'), 'utf8'))?.[1],
    )
    const tarball = `${url}${path}/-/package-${version}.tgz`
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ name, versions: { [version]: { name, version, dist: { tarball } } } }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${portOf(server)}`
  return {
    url,
    asked: () => asked,
    async close() {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}
