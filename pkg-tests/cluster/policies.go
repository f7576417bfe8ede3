package main

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/cel/openapi/resolver"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/kubernetes/pkg/generated/openapi"
)

// checked is what the type checker says of all policies; kube-controller-manager writes it into their status.
type checked struct {
	Policies int      `json:"policies"`
	Warnings []string `json:"warnings"`
}

// checkTypes checks the expressions of all ValidatingAdmissionPolicies against the types of the objects they match.
func checkTypes(ctx context.Context, config *rest.Config) (any, error) {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	groups, err := restmapper.GetAPIGroupResources(client.Discovery())
	if err != nil {
		return nil, err
	}
	checker := validating.TypeChecker{
		SchemaResolver: resolver.NewDefinitionsSchemaResolver(openapi.GetOpenAPIDefinitions, scheme.Scheme),
		RestMapper:     restmapper.NewDiscoveryRESTMapper(groups),
	}
	policies, err := client.AdmissionregistrationV1().ValidatingAdmissionPolicies().List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	answer := checked{Policies: len(policies.Items), Warnings: []string{}}
	for _, policy := range policies.Items {
		for _, warning := range checker.Check(&policy) {
			answer.Warnings = append(answer.Warnings, fmt.Sprintf("%s %s: %s", policy.Name, warning.FieldRef, warning.Warning))
		}
	}
	return answer, nil
}
