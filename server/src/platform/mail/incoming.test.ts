import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import {
  listenForMail,
  MailRejectedError,
  MAX_CONNECTIONS_PER_ADDRESS,
  MAX_TRANSFER_MEBIBYTES,
  MAX_UNKNOWN_RECIPIENTS,
  type IncomingMail,
  type IncomingMailListener,
} from './incoming.ts'

let listener: IncomingMailListener | undefined
let sockets: Socket[] = []

afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  sockets = []
  await listener?.close()
})

interface ServerCalls {
  readonly reports: unknown[]
  readonly taken: IncomingMail[]
  goOn: () => void
}

/** Starts a listener with mailboxes `one@here` and `two@here`; `take` blocks until `goOn`. */
async function listen(connectionSeconds?: number, mailSeconds?: number): Promise<ServerCalls> {
  const told: ServerCalls = { reports: [], taken: [], goOn: () => undefined }
  const isReady = new Promise<void>((resolve) => {
    told.goOn = resolve
  })
  const mailboxOf = async (recipient: string) => {
    if (recipient === 'broken@here') throw new Error('broken')
    if (!recipient.endsWith('@here')) throw new MailRejectedError(550, 'No such address here')
    const take = async (mail: IncomingMail): Promise<void> => {
      told.taken.push(mail)
      await isReady
    }
    return Promise.resolve({ owner: recipient.replace(/\+[^@]*/, ''), take })
  }
  listener = await listenForMail(
    {
      host: '127.0.0.1',
      port: 0,
      ...(connectionSeconds === undefined ? {} : { connectionSeconds }),
      ...(mailSeconds === undefined ? {} : { mailSeconds }),
    },
    { mailboxOf },
    (error) => told.reports.push(error),
  )
  return told
}

interface Client {
  say(line: string): Promise<string>
  send(text: string): void
  /** Sends the text repeatedly until the connection ends. @returns the number of bytes sent */
  sendForever(text: string): Promise<number>
  answer(): Promise<string>
  readonly ended: Promise<unknown>
}

async function openClient(): Promise<Client> {
  const socket = connect(listener?.port ?? 0, '127.0.0.1')
  sockets.push(socket)
  // A connection cut by the server emits an error first, on which Node's `once` would reject.
  const next = async (name: string): Promise<void> =>
    new Promise((resolve) => {
      socket.once(name, () => resolve())
    })
  const ended = next('close')
  const lines: string[] = []
  let rest = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\r\n')
    rest = parts.pop() ?? ''
    // `250-` announces another line.
    lines.push(...parts.filter((line) => line[3] !== '-'))
    socket.emit('lines')
  })
  socket.on('error', () => undefined)
  const answer = async (): Promise<string> => {
    while (lines.length === 0) await next('lines')
    return lines.shift() ?? ''
  }
  const made = {
    answer,
    async say(line: string) {
      socket.write(`${line}\r\n`)
      return answer()
    },
    send: (text: string) => void socket.write(text),
    async sendForever(text: string) {
      let sent = 0
      while (!socket.destroyed) {
        sent += text.length
        if (!socket.write(text)) await Promise.race([next('drain'), ended])
      }
      return sent
    },
    ended,
  }
  return made
}

async function connectAndGreet(): Promise<Client> {
  const made = await openClient()
  await made.answer()
  await made.say('EHLO there')
  return made
}

async function startMail(to: string): Promise<Client> {
  const made = await connectAndGreet()
  await made.say('MAIL FROM:<zoe@there>')
  await made.say(`RCPT TO:<${to}>`)
  expect(await made.say('DATA')).toMatch(/^354/)
  made.send('Subject: x\r\n\r\n')
  return made
}

describe('incoming mail listener', () => {
  it('ends a connection that lasts too long, even if it stays active', async () => {
    await listen(1)
    const [silent, speaking] = [await connectAndGreet(), await connectAndGreet()]
    const answers = async (): Promise<boolean> =>
      Promise.race([speaking.say('NOOP').then(() => true), speaking.ended.then(() => false)])
    let count = 0
    while (await answers()) count += 1
    await silent.ended
    expect(count).toBeGreaterThan(0)
  })

  it('limits connections per address and accepts another connection when one ends', async () => {
    await listen()
    const open: Client[] = []
    for (let n = 0; n < MAX_CONNECTIONS_PER_ADDRESS; n += 1) open.push(await openClient())
    for (const one of open) expect(await one.answer()).toMatch(/^220/)
    const refused = await openClient()
    expect(await refused.answer()).toMatch(/^421/)
    await refused.ended
    expect(await open[0]?.say('QUIT')).toMatch(/^221/)
    await open[0]?.ended
    await expect.poll(async () => (await (await openClient()).answer()).slice(0, 3)).toBe('220')
  })

  it('ends a connection that tries many unknown recipients', async () => {
    await listen()
    const guesser = await connectAndGreet()
    await guesser.say('MAIL FROM:<zoe@there>')
    for (let n = 0; n < MAX_UNKNOWN_RECIPIENTS; n += 1) {
      expect(await guesser.say(`RCPT TO:<${n}@nowhere>`)).toBe('550 No such address here')
    }
    expect(await guesser.say('RCPT TO:<one@here>')).toMatch(/^421/)
    await guesser.ended
  })

  it('rejects too many concurrent emails, in total or per owner, with a temporary error', async () => {
    const told = await listen()
    const slow = [await startMail('one@here'), await startMail('one@here')]
    const third = await startMail('one+again@here')
    third.send('.\r\n')
    expect(await third.answer()).toMatch(/^451/)
    const others = [await startMail('two@here'), await startMail('three@here')]
    const fifth = await startMail('four@here')
    fifth.send('.\r\n')
    expect(await fifth.answer()).toMatch(/^451/)
    told.goOn()
    for (const one of [...slow, ...others]) {
      one.send('end\r\n.\r\n')
      expect(await one.answer()).toMatch(/^250/)
    }
    const after = await startMail('one@here')
    after.send('.\r\n')
    expect(await after.answer()).toMatch(/^250/)
    expect([told.taken.length, told.reports]).toEqual([5, []])
  })

  it('discards an email without reporting an error if its sender disconnects', async () => {
    const told = await listen()
    told.goOn()
    for (let n = 0; n < 3; n += 1) {
      const leaving = await startMail('one@here')
      sockets.at(-1)?.destroy()
      await leaving.ended
    }
    await expect
      .poll(async () => {
        const one = await startMail('one@here')
        one.send('.\r\n')
        return (await one.answer()).slice(0, 3)
      })
      .toBe('250')
    expect(told.reports).toEqual([])
  })

  it('ends a connection that sends its email too slowly', async () => {
    const told = await listen(600, 1)
    told.goOn()
    const slow = await startMail('one@here')
    const trickle = setInterval(() => slow.send('x'), 50)
    expect(await slow.answer()).toMatch(/^421/)
    await slow.ended
    clearInterval(trickle)
    const quick = await startMail('one@here')
    quick.send('.\r\n')
    expect(await quick.answer()).toMatch(/^250/)
    expect([told.taken.length, told.reports]).toEqual([1, []])
  })

  it.each([
    ['lines of dots', '..\r\n'.repeat(1_000), 1_000_000],
    ['one line', 'x'.repeat(64 * 1024), MAX_TRANSFER_MEBIBYTES * 1024 * 1024],
  ])('ends a connection that endlessly sends %s', async (_, text, least) => {
    const told = await listen()
    const endless = await startMail('one@here')
    const sent = await endless.sendForever(text)
    await endless.ended
    // Allows for bytes in the system's buffers, which neither side counts exactly.
    expect(sent).toBeLessThan(least + 16 * 1024 * 1024)
    expect([told.taken, told.reports]).toEqual([[], []])
  })

  it('reports an internal error, and answers it with a temporary SMTP error without details', async () => {
    const told = await listen()
    const one = await connectAndGreet()
    await one.say('MAIL FROM:<zoe@there>')
    expect(await one.say('RCPT TO:<broken@here>')).toBe('451 Try again later')
    expect(told.reports).toMatchObject([{ message: 'broken' }])
  })

  it('rejects an overlong SMTP command, and a command before the greeting', async () => {
    await listen()
    const long = await connectAndGreet()
    long.send('x'.repeat(100_000))
    expect(await long.answer()).toMatch(/^421/)
    await long.ended
    const early = await openClient()
    early.send('EHLO there\r\n')
    expect(await early.answer()).toMatch(/^421/)
    await early.ended
  })
})
