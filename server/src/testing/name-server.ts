import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'

/** Successive answers. The last answer repeats. */
export type Answers = readonly (readonly string[])[]

export interface NameServer {
  readonly address: string
  asked(name: string): number
  close(): void
}

const TYPE_A = 1
const TYPE_AAAA = 28

export async function startNameServer(names: Readonly<Record<string, Answers>>): Promise<NameServer> {
  const socket = createSocket('udp4')
  const counts = new Map<string, number>()
  socket.on('message', (query, { address, port }) => {
    const { name, type, end } = questionOf(query)
    const times = counts.get(`${name}/${type}`) ?? 0
    counts.set(`${name}/${type}`, times + 1)
    const answers = names[name]
    const addresses = (answers?.[times] ?? answers?.at(-1) ?? []).filter(
      (given) => (given.includes(':') ? TYPE_AAAA : TYPE_A) === type,
    )
    socket.send(reply(query.subarray(0, end), type, addresses, answers !== undefined), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${portOf(socket)}`,
    asked: (name) => counts.get(`${name}/${TYPE_A}`) ?? 0,
    close: () => socket.close(),
  }
}

function portOf(socket: Socket): number {
  return socket.address().port
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function reply(question: Buffer, type: number, addresses: readonly string[], isKnown: boolean): Buffer {
  const head = Buffer.from(question)
  head.writeUInt16BE(isKnown ? 0x8180 : 0x8183, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(addresses.length, 6)
  head.writeUInt32BE(0, 8)
  const records = addresses.map((address) => {
    const bytes = type === TYPE_A ? Buffer.from(address.split('.').map(Number)) : ipv6Bytes(address)
    const record = Buffer.alloc(12)
    record.writeUInt16BE(0xc00c, 0)
    record.writeUInt16BE(type, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt16BE(bytes.length, 10)
    return Buffer.concat([record, bytes])
  })
  return Buffer.concat([head, ...records])
}

function ipv6Bytes(address: string): Buffer {
  const [left = '', right] = address.split('::')
  const groups = (text = ''): string[] => (text === '' ? [] : text.split(':'))
  const [before, after] = [groups(left), groups(right)]
  const missing = right === undefined ? 0 : 8 - before.length - after.length
  const all = [...before, ...Array.from({ length: missing }, () => '0'), ...after]
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex')
}
