/** Types of the used part of the package, which contains no types. */
declare module 'zulip-js' {
  function connect(config: { username: string; password: string; realm: string }): Promise<connect.Client>

  namespace connect {
    type Parameters = Readonly<Record<string, unknown>>
    type Answer = Readonly<Record<string, unknown>> & { readonly result: 'success' | 'error'; readonly code?: string }
    type Call = (parameters?: Parameters) => Promise<Answer>

    interface Client {
      readonly config: { readonly apiKey?: string }
      callEndpoint(path: string, method?: string, parameters?: Parameters): Promise<Answer>
      callOnEachEvent(callback: (event: Parameters) => void, types?: string[]): Promise<never>
      readonly messages: {
        readonly send: Call
        readonly retrieve: Call
        readonly getById: Call
        readonly flags: { readonly add: Call; readonly remove: Call }
      }
      readonly reactions: { readonly add: Call; readonly remove: Call }
      readonly queues: { readonly register: Call; readonly deregister: Call }
      readonly events: { readonly retrieve: Call }
      readonly streams: { readonly retrieve: Call; readonly subscriptions: { readonly retrieve: Call } }
      readonly users: {
        readonly retrieve: Call
        readonly create: Call
        readonly me: {
          getProfile(): Promise<Answer>
          readonly subscriptions: { readonly add: Call; readonly remove: Call }
        }
      }
      readonly server: { readonly settings: Call }
    }
  }

  export = connect
}
