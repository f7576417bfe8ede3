{{- define "slicewise.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "slicewise.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 53 | trimSuffix "-" -}}
{{- else -}}
{{- $name := include "slicewise.name" . -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 53 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 53 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "slicewise.selector" -}}
app.kubernetes.io/name: {{ include "slicewise.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "slicewise.labels" -}}
{{ include "slicewise.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- /* Of audits: the Service, disruption budget and network policy of the webhook must not select their pods. */ -}}
{{- define "slicewise.auditSelector" -}}
app.kubernetes.io/name: {{ include "slicewise.name" . | trunc 57 | trimSuffix "-" }}-audit
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "slicewise.auditLabels" -}}
{{ include "slicewise.auditSelector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- /* Namespaces are only read if a rule looks at them. */ -}}
{{- define "slicewise.readsNamespaces" -}}
{{- if contains "namespaceObject" (toJson .Values.config) }}true{{ end -}}
{{- end -}}

{{- define "slicewise.image" -}}
{{- $tag := .Values.image.tag -}}
{{- if not .Values.image.digest -}}
{{- $tag = default .Chart.AppVersion $tag -}}
{{- end -}}
{{- .Values.image.repository -}}
{{- with $tag }}:{{ . }}{{ end -}}
{{- with .Values.image.digest }}@{{ . }}{{ end -}}
{{- end -}}

{{- /* How many pods there may be, the one that replaces another included. */ -}}
{{- define "slicewise.mostPods" -}}
{{- if .Values.autoscaling.enabled -}}
{{- add1 .Values.autoscaling.maxReplicas -}}
{{- else -}}
{{- add1 .Values.replicaCount -}}
{{- end -}}
{{- end -}}

{{- define "slicewise.certificate" -}}
{{- if eq .Values.certificate.mode "secret" -}}
{{- .Values.certificate.secretName -}}
{{- else -}}
{{- printf "%s-tls" (include "slicewise.fullname" .) -}}
{{- end -}}
{{- end -}}

{{- define "slicewise.armNamespace" -}}
{{- default (printf "%s-check" (include "slicewise.fullname" .)) .Values.arm.namespace -}}
{{- end -}}

{{- /* How long a pod has from SIGTERM to its end: what the service takes to drain, and a little. */ -}}
{{- define "slicewise.grace" -}}
{{- $server := default dict .Values.config.server -}}
{{- $delay := include "slicewise.seconds" (default "3s" $server.drainDelay) -}}
{{- $drain := include "slicewise.seconds" (default "20s" $server.drainTimeout) -}}
{{- add (int $delay) (int $drain) 7 -}}
{{- end -}}

{{- /* Whole seconds of a Go duration, rounded up; days are not in them. */ -}}
{{- define "slicewise.seconds" -}}
{{- $total := 0.0 -}}
{{- range regexFindAll "[0-9]+(?:[.][0-9]+)?(?:ms|h|m|s)" . -1 -}}
{{- $number := regexFind "^[0-9.]+" . | float64 -}}
{{- $unit := regexFind "[a-z]+$" . -}}
{{- $total = addf $total (mulf $number (get (dict "ms" 0.001 "s" 1.0 "m" 60.0 "h" 3600.0) $unit)) -}}
{{- end -}}
{{- ceil $total -}}
{{- end -}}

{{- /* The webhook's configuration. */ -}}
{{- define "slicewise.config" -}}
{{- $server := merge (default dict (deepCopy .Values.config).server) (dict "listen" "0.0.0.0:8443" "health" "0.0.0.0:8081") -}}
{{- $tls := dict "cert" "/run/slicewise/certificate/tls.crt" "key" "/run/slicewise/certificate/tls.key" -}}
{{- if eq .Values.clients.mode "anyone" -}}
{{- $_ := set $tls "clients" "anyone" -}}
{{- else -}}
{{- $_ := set $tls "clientCA" (printf "/run/slicewise/clients/%s" .Values.clients.caKey) -}}
{{- if .Values.clients.names -}}
{{- $_ := set $tls "clientNames" .Values.clients.names -}}
{{- end -}}
{{- end -}}
{{- $own := printf "%s/%s" .Release.Namespace (include "slicewise.fullname" .) -}}
{{- $config := merge (dict "server" $server "tls" $tls) (deepCopy .Values.config) (dict "ownService" $own) -}}
{{- if .Values.arm.enabled -}}
{{- $_ := set $config "arm" (dict "configuration" (include "slicewise.fullname" .) "webhook" (printf "traffic.%s" (include "slicewise.domain" .)) "failurePolicy" .Values.arm.failurePolicy "namespace" (include "slicewise.armNamespace" .) "interval" .Values.arm.interval "fallback" .Values.arm.fallback) -}}
{{- end -}}
{{- toYaml $config -}}
{{- end -}}

{{- /* What the names of its webhooks end in; no other release has the same. */ -}}
{{- define "slicewise.domain" -}}
{{- printf "%s.%s" (include "slicewise.fullname" .) .Release.Namespace -}}
{{- end -}}

{{- /* A file with the names of its webhooks, as a regular expression. */ -}}
{{- define "slicewise.file" -}}
{{- $names := printf "(traffic|nodes|workloads)[.]%s[.]%s" (include "slicewise.fullname" .root) .root.Release.Namespace -}}
{{- .root.Files.Get .file | replace "WEBHOOKS" $names -}}
{{- end -}}

{{- /* The namespaces whose objects are reviewed. */ -}}
{{- define "slicewise.namespaceSelector" -}}
namespaceSelector:
  {{- with .Values.webhook.namespaceSelector.matchLabels }}
  matchLabels:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  matchExpressions:
    - key: kubernetes.io/metadata.name
      operator: NotIn
      values:
        {{- prepend .Values.webhook.excludeNamespaces .Release.Namespace | uniq | toYaml | nindent 8 }}
    {{- with .Values.webhook.namespaceSelector.matchExpressions }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end -}}

{{- /* The API servers first, always: stopped by a webhook that is down, they could not restore its way to them. */ -}}
{{- define "slicewise.notTheControlPlane" -}}
- name: not-the-control-plane
  expression: "!(request.userInfo.username in ['{{ prepend (default list .Values.webhook.excludeUsers) "system:apiserver" | uniq | join "', '" }}'])"
{{- end -}}

{{- /* Where pods may connect to: the API servers. */ -}}
{{- define "slicewise.egress" -}}
- ports:
    {{- range .Values.networkPolicy.apiServerPorts }}
    - port: {{ . }}
      protocol: TCP
    {{- end }}
  {{- with .Values.networkPolicy.apiServers }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- else }}
- ports:
    - port: 53
      protocol: UDP
    - port: 53
      protocol: TCP
  {{- end }}
{{- end -}}
