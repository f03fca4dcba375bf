import { useEffect, useState } from 'preact/hooks'
import { ts } from '../../../kernel/later-texts.ts'
import type { ApplicationSecret } from '../actions.ts'
import './second-factor.css'

export function SecretWithQrCode({ secret, uri }: ApplicationSecret) {
  return (
    <>
      <p>{ts().scan}</p>
      <QrCode text={uri} label={ts().qrCode} />
      <p>
        {ts().type} <code class="second-factor-secret">{groupDigits(secret)}</code>
      </p>
    </>
  )
}

/** Groups of four letters are easier to type. */
function groupDigits(secret: string): string {
  return secret.replaceAll(/.{4}(?=.)/g, '$& ')
}

/** Margin that QR code readers need, in modules. */
const QUIET_ZONE_MODULES = 4

interface QrModules {
  readonly size: number
  readonly path: string
}

export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const [modules, setModules] = useState<QrModules>()
  useEffect(() => {
    // If the encoder cannot be loaded, the user can type the secret.
    encodeQrCode(text).then(setModules, () => undefined)
  }, [text])
  if (modules === undefined) return <div class="second-factor-qr" />
  const side = modules.size + 2 * QUIET_ZONE_MODULES
  return (
    <svg
      class="second-factor-qr"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${side} ${side}`}
      shape-rendering="crispEdges"
    >
      <path d={modules.path} />
    </svg>
  )
}

async function encodeQrCode(text: string): Promise<QrModules> {
  const { generate } = await import('lean-qr')
  const code = generate(text)
  let path = ''
  for (let y = 0; y < code.size; y += 1) {
    for (let x = 0; x < code.size; x += 1) {
      if (code.get(x, y)) path += `M${x + QUIET_ZONE_MODULES} ${y + QUIET_ZONE_MODULES}h1v1h-1z`
    }
  }
  return { size: code.size, path }
}
