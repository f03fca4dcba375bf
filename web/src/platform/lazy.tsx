import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { reasonOf } from './requests.ts'
import { toast } from './overlay/toasts.tsx'

/**
 * A component whose code is fetched when it is first shown, and is not there until then. Its styles are imported by what is
 * always there, since browsers fetch scripts alone.
 */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const loaded = signal<ComponentType<Props> | undefined>(undefined)
  return (props: Props) => {
    const { value: Loaded } = loaded
    useEffect(() => {
      if (loaded.peek() !== undefined) return
      load().then(
        (component) => {
          loaded.value = component
        },
        (error: unknown) => toast(reasonOf(error)),
      )
    }, [])
    return Loaded === undefined ? null : <Loaded {...props} />
  }
}
