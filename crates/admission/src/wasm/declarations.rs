//! The types of what goes through this interface beside the types of the JSON Schemas.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** Options of a reviewer, all optional. */
export interface ReviewerOptions {
  /** Modes and settings of the policies: `{"policies": {"slice-shape": {"mode": "warn"}}}`. */
  config?: Json<ReviewerConfig> | undefined;
  /** The cluster: objects as `kubectl get services,pods,nodes,endpointslices -A -o json` prints them. */
  snapshot?: Json<Snapshot> | undefined;
  /** Larger inputs are refused; 64 MiB by default. */
  maxInputBytes?: number | undefined;
}
/** A record of a review for logs: names and verdicts, never the object. */
export interface ReviewRecord {
  verdict: 'allow' | 'warn' | 'deny' | 'error';
  uid?: string;
  kind?: string;
  namespace?: string;
  name?: string;
  /** The user who asks, and the number of groups that the user is in. */
  user?: string;
  groups?: number;
  /** `CREATE`, `UPDATE`, `DELETE` or `CONNECT`; nothing was asked of an object that exists. */
  operation?: string;
  dryRun?: boolean;
  /** The policies with findings. */
  policies: string[];
  /** Human-readable. */
  reason: string;
  /** The code of an error. */
  code?: string;
  /** The pods that a refusal rests on, if they may exist and the watch has not shown them yet. */
  awaits?: { kind: 'Pod'; namespace: string; name?: string; address?: string }[];
}
/** Whether the change is allowed, and messages for the user. */
export interface ReviewResponse {
  /** The uid of the request. */
  uid: string;
  allowed: boolean;
  /** The reason; the API server passes it on if the change is denied. */
  status: {
    /** An HTTP status: 200 or 403. */
    code: number;
    /** `Forbidden` if the change is denied. */
    reason?: string;
    message: string;
    details: { name?: string; group?: string; kind: string; causes?: { reason: string; message: string; field: string }[] };
  };
  /** Shown to the user by `kubectl`. */
  warnings?: string[];
  /** What each policy said, by its name, for the audit log. */
  auditAnnotations?: Record<string, string>;
}
/** An AdmissionReview with a response. */
export interface ReviewAnswer {
  apiVersion: 'admission.k8s.io/v1';
  kind: 'AdmissionReview';
  response: ReviewResponse;
}
/** A verdict and its explanation. */
export interface ReviewExplanation {
  /** The whole explanation in words. */
  text: string;
  /** The change and the verdict. */
  headline: string;
  /** What is known of the cluster. */
  known: string;
  /** What the policies did, in the order in which they ran. */
  steps: {
    policy: string;
    about: string;
    /** The kinds that it checks. */
    kinds: string[];
    /** Whether it ran, or why not. */
    standing: 'asked' | 'otherKind' | 'notChosen' | 'off' | 'exempt' | 'unchanged' | 'apiServers' | 'nobodyWrites';
    mode: 'enforce' | 'warn' | 'audit' | 'off';
    /** The kinds of known objects that it looked at. */
    lookedAt: string[];
    findings: { rule: string; effect: 'deny' | 'warn' | 'note'; field: string; message: string }[];
    /** Whether it found something, or why it did not run, in a sentence. */
    said: string;
  }[];
  contextAgeSeconds: number | null;
  /** As in the answer to a review. */
  response: ReviewResponse;
}
/** What a reviewer knows of the cluster. */
export interface ReviewerStatus {
  /** By kind: the number of known objects, whether they are complete, and the number of objects that exist but cannot be read. */
  kinds: Record<'Service' | 'Pod' | 'Node' | 'EndpointSlice', { known: boolean; objects: number; leftOut: number }>;
}
"#;
