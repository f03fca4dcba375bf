import { createTransport, type SendMailOptions } from 'nodemailer'
import { isObject } from '../../../testing/json.ts'

export interface SmtpAnswer {
  readonly code: number
  readonly words: string
}

export async function deliverMail(port: number, mail: SendMailOptions): Promise<SmtpAnswer> {
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true })
  try {
    const { response } = await transport.sendMail({
      from: 'Zoe <zoe@example.org>',
      subject: 'News',
      text: 'Hello',
      ...mail,
    })
    return parseSmtpAnswer(response)
  } catch (error) {
    // This field of nodemailer's errors contains the SMTP response.
    if (!isObject(error) || typeof error['response'] !== 'string') throw error
    return parseSmtpAnswer(error['response'])
  } finally {
    transport.close()
  }
}

function parseSmtpAnswer(response: string): SmtpAnswer {
  const [, code, words = ''] = /^(\d{3})[ -](.*)$/s.exec(response) ?? []
  return { code: Number(code), words }
}
