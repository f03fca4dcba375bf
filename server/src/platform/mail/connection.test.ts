import { describe, expect, it } from 'vitest'
import { useMailServer } from '../../testing/mail-server.ts'
import { createLogger } from '../logger.ts'
import { connectionOptions, isPrivateHost, withHint, type CertificateCheck } from './connection.ts'
import { openMailer, type Mail } from './mailer.ts'

const startTls = await useMailServer('STARTTLS')
const tls = await useMailServer('TLS')

const PLAIN_MAIL: Omit<Mail, 'to'> = {
  fromName: 'Acme',
  subject: 'Hi',
  text: 'One',
  html: '<p>One</p>',
  messageId: 'one@parley.example',
  thread: undefined,
  unsubscribeAddress: undefined,
  link: undefined,
}

describe('mail server with a self-signed certificate', () => {
  const sendTo = async (url: string, certificate?: CertificateCheck): Promise<string> => {
    const to = 'ann@example.org'
    const mailer = openMailer({ url, certificate, from: 'chat@parley.example' }, createLogger('silent'))
    await mailer.verify()
    await mailer.send({ ...PLAIN_MAIL, to })
    return to
  }

  it.each([
    ['after its greeting', startTls],
    ['from the start', tls],
  ])('accepts local email with encryption %s unless verification is required', async (_, relay) => {
    await relay.next(await sendTo(relay.url))
    await relay.next(await sendTo(relay.url, 'unverified'))
    await expect(sendTo(relay.url, 'verify')).rejects.toThrow(
      /certificate.* \(PARLEY_SMTP_TLS=unverified accepts any certificate\)$/,
    )
    expect(relay.received()).toEqual([])
  })

  it('suggests smtp: or smtps: when the URL does not match the port', async () => {
    const hint = /\(this port starts unencrypted: use smtp: instead of smtps: in PARLEY_SMTP_URL\)$/
    await expect(sendTo(startTls.url.replace('smtp:', 'smtps:'))).rejects.toThrow(hint)
    expect(withHint(new Error('Greeting never received'), { url: 'smtp://mail.example.org:465' })).toMatchObject({
      message:
        'Greeting never received ' +
        '(if this port is encrypted from the start, as 465 is, use smtps: instead of smtp: in PARLEY_SMTP_URL)',
    })
    expect(withHint(new Error('Invalid login'), { url: tls.url })).toMatchObject({ message: 'Invalid login' })
  })

  it.each(
    '127.0.0.1 127.1.2.3 10.0.0.5 172.16.0.1 192.168.1.1 169.254.1.1 ::1 fd00::1 fe80::1 ::ffff:127.0.0.1 localhost postfix'
      .split(' ')
      .concat('MAIL.local', 'mail.internal.', 'smtp.home.arpa', 'relay.lan'),
  )('skips certificate verification at %s', (host) => {
    expect(isPrivateHost(host)).toBe(true)
  })

  it.each(['192.0.3.1', '172.32.0.1', '2a00::1', 'mail.example.org', 'localhost.example.org', 'local.example', 'a.b'])(
    'verifies the certificate at %s',
    (host) => {
      expect(isPrivateHost(host)).toBe(false)
    },
  )

  it('verifies certificates of public hosts unless configured otherwise', () => {
    const isVerified = (url: string, certificate?: CertificateCheck): boolean =>
      connectionOptions({ url, certificate }).tls.rejectUnauthorized
    expect(isVerified('smtp://mail.example.org')).toBe(true)
    expect(isVerified('smtps://mail.example.org', 'unverified')).toBe(false)
    expect(isVerified('smtp://[::1]')).toBe(false)
    expect(isVerified('smtp://127.0.0.1', 'verify')).toBe(true)
    expect(connectionOptions({ url: 'smtp://u:a%2Fb%25c@10.0.0.5', certificate: undefined })).toMatchObject({
      requireTLS: true,
      auth: { user: 'u', pass: 'a/b%c' },
    })
  })
})
