import { call, type Answer } from '@parley/client'
import { organizations } from '@parley/server/contract'
import { useEffect, useState } from 'preact/hooks'
import { SESSION } from '../../platform/sync/sync.ts'
import { patiently } from './patience.ts'

type Provider = Answer<typeof organizations.getServerSettings>['external_authentication_methods'][number]

interface ProvidersProps {
  readonly labelOf: (provider: string) => string
  /** Of an invitation, which lets somebody in who has no account. */
  readonly token?: string | undefined
}

/** The other services by which one signs in, where the server has any. */
export function Providers({ labelOf, token }: ProvidersProps) {
  const [providers, setProviders] = useState<readonly Provider[]>([])
  useEffect(() => {
    // Without an answer there is still the form.
    const nothing = (): void => undefined
    patiently(async () => call(SESSION, organizations.getServerSettings, {}), nothing).then(
      ({ external_authentication_methods: methods }) => setProviders(methods),
      nothing,
    )
  }, [])
  return (
    <>
      {providers.map(({ name, display_name: provider, login_url: address }) => (
        <a key={name} class="button" href={token === undefined ? address : `${address}#${token}`}>
          {labelOf(provider)}
        </a>
      ))}
    </>
  )
}
