import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'
import { afterAll, expect } from 'vitest'
import { portOf } from './free-port.ts'
import { mailMarkupFaults } from './mail-markup.ts'

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** Decoded headers, by lowercase name. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly html: string
}

export interface MailServer {
  readonly url: string
  received(to?: string): readonly ReceivedMail[]
  /** Waits for an email, and removes it from the list of received emails. */
  next(to: string, about?: RegExp): Promise<ReceivedMail>
  /** Removes all emails, so that a retried test does not read those of the failed attempt. */
  clear(): void
  /** Answer for every recipient; undefined accepts all. */
  refuse(answer: { code: number; message: string } | undefined): void
  refused(): number
  /** Blocks the end of every email until `goOn`. `count` returns the number of blocked emails. */
  holding(): { count: () => number; goOn: () => void }
  close(): Promise<void>
}

/** @param encryption uses a self-signed certificate */
export async function useMailServer(encryption: 'none' | 'STARTTLS' | 'TLS' = 'none'): Promise<MailServer> {
  let mails: ReceivedMail[] = []
  const faults = new Set<string>()
  let refused = 0
  let refusal: { code: number; message: string } | undefined
  let held: Promise<void> | undefined
  let waiting = 0
  const server = new SMTPServer({
    secure: encryption === 'TLS',
    disabledCommands: encryption === 'STARTTLS' ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    onRcptTo(_address, _session, done) {
      if (refusal !== undefined) refused += 1
      done(refusal === undefined ? null : Object.assign(new Error(refusal.message), { responseCode: refusal.code }))
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        waiting += 1
        void (held ?? Promise.resolve()).then(() => {
          waiting -= 1
          const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
          const to = envelope.rcptTo.map(({ address }) => address)
          const mail = { from, to, ...parseMail(Buffer.concat(chunks).toString('latin1')) }
          mails.push(mail)
          for (const fault of mailMarkupFaults(mail.html)) faults.add(fault)
          done()
        })
      })
    },
  })
  // Ignores clients that disconnect.
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const port = portOf(server.server)
  const received = (to?: string): readonly ReceivedMail[] =>
    mails.filter((mail) => to === undefined || mail.to.includes(to))
  const close = async (): Promise<void> =>
    new Promise((resolve) => {
      server.close(resolve)
    })
  afterAll(async () => {
    await close()
    expect(faults).toEqual(new Set())
  })
  return {
    url: `${encryption === 'TLS' ? 'smtps' : 'smtp'}://127.0.0.1:${port}`,
    received,
    async next(to, about) {
      const matchingMails = (): readonly ReceivedMail[] =>
        received(to).filter(({ headers }) => about === undefined || about.test(headers['subject'] ?? ''))
      await expect.poll(() => matchingMails().length, { timeout: 10_000 }).toBeGreaterThan(0)
      const [mail] = matchingMails()
      if (mail === undefined) throw new Error('the email that was just counted is missing')
      mails = mails.filter((other) => other !== mail)
      return mail
    },
    clear() {
      mails = []
    },
    refused: () => refused,
    refuse(answer) {
      refusal = answer
    },
    holding() {
      let stopWaiting = (): void => undefined
      held = new Promise((resolve) => {
        stopWaiting = () => {
          held = undefined
          resolve()
        }
      })
      return { count: () => waiting, goOn: () => stopWaiting() }
    },
    close,
  }
}

export function linksIn({ text }: ReceivedMail): string[] {
  return text.match(/https?:\/\/\S+/g) ?? []
}

export function linkIn(mail: ReceivedMail): string {
  const [link] = linksIn(mail)
  if (link === undefined) throw new Error(`no link in: ${mail.text}`)
  return link
}

export function tokenIn(mail: ReceivedMail): string {
  const [, token] = /#(?:\w+=)?([\w-]{43})$/.exec(linkIn(mail)) ?? []
  if (token === undefined) throw new Error(`no token in: ${linkIn(mail)}`)
  return token
}

function parseMail(raw: string): Pick<ReceivedMail, 'headers' | 'text' | 'html'> {
  const { headers, body } = partOf(raw)
  const [, boundary = ''] = /boundary="?([^";]+)/.exec(headers['content-type'] ?? '') ?? []
  const parts = body.split(`--${boundary}`).slice(1, -1)
  const contentOf = (type: string): string => {
    const part = parts
      .map((text) => partOf(text.replace(/^\r\n/, '')))
      .find((one) => one.headers['content-type']?.startsWith(type))
    return part === undefined ? '' : decodeBody(part.headers['content-transfer-encoding'] ?? '', part.body)
  }
  return { headers, text: contentOf('text/plain'), html: contentOf('text/html') }
}

function partOf(raw: string): { headers: Record<string, string>; body: string } {
  const end = raw.indexOf('\r\n\r\n')
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = lines.map((line) => {
    const [name = '', ...value] = line.split(':')
    return [name.toLowerCase(), decodedWords(value.join(':').trim())] as const
  })
  return { headers: Object.fromEntries(headers), body: raw.slice(end + 4) }
}

function decodeBody(encoding: string, body: string): string {
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : Buffer.from(
          encoding === 'quoted-printable' ? decodeQuotedPrintable(body.replace(/=\r\n/g, '')) : body,
          'latin1',
        )
  return bytes.toString('utf8').replaceAll('\r\n', '\n').trimEnd()
}

function decodeQuotedPrintable(text: string): string {
  return text.replace(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
}

/** Decodes text such as `=?UTF-8?Q?Gr=C3=BC=C3=9Fe?=`. */
function decodedWords(value: string): string {
  const joined = value.replace(/\?=\s+=\?/g, '?==?')
  return joined.replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
    kind.toLowerCase() === 'b'
      ? Buffer.from(text, 'base64').toString('utf8')
      : Buffer.from(decodeQuotedPrintable(text.replaceAll('_', ' ')), 'latin1').toString('utf8'),
  )
}
